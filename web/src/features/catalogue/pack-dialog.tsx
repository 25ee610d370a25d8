import { type CataloguePack, savePack } from '@rowmill/contract';
import type { Values } from '../../lib/hooks/use-form.ts';
import { hundredthsIn, wholeNumberIn } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { EditDialog } from '../../ui/form/edit-dialog.tsx';
import { NumberField } from '../../ui/form/text-field.tsx';
import { changedByPrices } from './api.ts';
import { NameField, PriceField, SaleFields } from './item-fields.tsx';

interface Props {
  /** None for a new one. */
  pack: CataloguePack | null;
  currency: string;
  nextPosition: number;
  onShowCurrent: () => void;
  onClose: () => void;
}

export function PackDialog({ pack, currency, nextPosition, onShowCurrent, onClose }: Props) {
  return (
    <EditDialog
      title={pack ? texts.editItem(pack.name) : texts.newPack}
      note={pack ? texts.packNote : undefined}
      endpoint={savePack}
      toRequest={(values) => requestFor(pack, values)}
      changes={changedByPrices}
      onShowCurrent={onShowCurrent}
      onClose={onClose}
    >
      <NameField name={pack?.name} />
      <div className="grid-fields">
        <NumberField label={texts.submissions} name="count" defaultValue={pack?.count} />
        <PriceField name="rate_minor" currency={currency} minor={pack?.rate_minor} />
        <SaleFields item={pack ?? { position: nextPosition, is_sold: true }} />
      </div>
    </EditDialog>
  );
}

function requestFor(pack: CataloguePack | null, values: Values) {
  const { name = '', count = '', rate_minor = '', position = '', is_sold } = values;
  return {
    ...(pack ? { id: pack.id, version: pack.version } : {}),
    name,
    count: wholeNumberIn(count),
    rate_minor: hundredthsIn(rate_minor),
    position: wholeNumberIn(position),
    is_sold: is_sold === 'yes',
  };
}
