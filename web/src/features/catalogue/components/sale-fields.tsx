import { catalogueLimits } from '@rowmill/contract';
import { TextField } from '../../../ui/text-field.tsx';
import { ChoiceField } from './choice-field.tsx';

interface Props {
  item: { position: number; is_sold: boolean };
  problems: Record<string, string>;
  /** Why it cannot be withdrawn. */
  keptFor?: string | undefined;
}

interface NameProps {
  name: string | undefined;
  problem: string | undefined;
}

export function NameField({ name, problem }: NameProps) {
  return (
    <TextField
      label="Name"
      name="name"
      autoComplete="off"
      maxLength={catalogueLimits.name}
      defaultValue={name ?? ''}
      problem={problem}
    />
  );
}

/** Where a plan or a pack stands in its list, and whether it is offered. */
export function SaleFields({ item, problems, keptFor }: Props) {
  return (
    <>
      <TextField
        label="Place in the list"
        name="position"
        inputMode="numeric"
        autoComplete="off"
        maxLength={String(catalogueLimits.position).length}
        defaultValue={item.position}
        problem={problems.position}
        hint="1 stands first."
      />
      <ChoiceField
        label="Offered"
        name="is_sold"
        choices={keptFor ? [['yes', 'On sale']] : offers}
        defaultValue={item.is_sold ? 'yes' : 'no'}
        problem={problems.is_sold}
        hint={keptFor}
      />
    </>
  );
}

const offers = [
  ['yes', 'On sale'],
  ['no', 'Withdrawn'],
] as const;
