import { catalogueLimits } from '@rowmill/contract';
import { inHundredths } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { NumberField, TextField } from '../../ui/form/text-field.tsx';

interface Props {
  item: { position: number; is_sold: boolean };
  /** Why the item cannot be withdrawn. */
  keptFor?: string;
}

export function NameField({ name }: { name: string | undefined }) {
  return (
    <TextField
      label={texts.name}
      name="name"
      maxLength={catalogueLimits.name}
      defaultValue={name ?? ''}
    />
  );
}

/** Position of a plan or pack and whether it is on sale. */
export function SaleFields({ item, keptFor }: Props) {
  return (
    <>
      <NumberField
        label={texts.position}
        name="position"
        maxLength={String(catalogueLimits.position).length}
        defaultValue={item.position}
        hint={texts.positionHint}
      />
      <ChoiceField
        label={texts.onSale}
        name="is_sold"
        choices={keptFor ? [['yes', texts.onSale]] : offers}
        defaultValue={item.is_sold ? 'yes' : 'no'}
        hint={keptFor}
      />
    </>
  );
}

const offers = [
  ['yes', texts.onSale],
  ['no', texts.withdrawn],
] as const;

interface PriceProps {
  name: string;
  currency: string;
  minor: number | undefined;
}

export function PriceField({ currency, minor, ...field }: PriceProps) {
  return (
    <TextField
      {...field}
      label={texts.priceIn(currency)}
      hint={texts.priceHint}
      inputMode="decimal"
      maxLength={20}
      defaultValue={minor === undefined ? '' : inHundredths(minor)}
    />
  );
}
