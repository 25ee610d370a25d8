import { type CataloguePlan, savePlan } from '@rowmill/contract';
import { TextField } from '../../../ui/text-field.tsx';
import { hundredthsIn, inHundredths, wholeIn } from '../typed-numbers.ts';
import { useEdit } from '../use-edit.ts';
import { ChoiceField } from './choice-field.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { FeaturesField } from './features-field.tsx';
import { NameField, SaleFields } from './sale-fields.tsx';

interface Props {
  /** None for a new one. */
  plan: CataloguePlan | null;
  currency: string;
  nextPosition: number;
  onLookAgain: () => void;
  onClose: () => void;
}

export function PlanDialog({ plan, currency, nextPosition, onLookAgain, onClose }: Props) {
  const isFree = plan?.price_minor === 0;
  const { problems, ...form } = useEdit({ endpoint: savePlan, read: (values) => requestFor(plan, values), onSaved: onClose });
  return (
    <EditDialog
      title={plan ? `Edit ${plan.name}` : 'New plan'}
      note="Orders that exist, and whoever has the plan already, keep what it was."
      form={form}
      onLookAgain={onLookAgain}
      onClose={onClose}
    >
      <NameField name={plan?.name} problem={problems.name} />
      <div className="address">
        {!isFree && <PriceAndTerm plan={plan} currency={currency} problems={problems} />}
        <TextField
          label="Submissions"
          name="submissions"
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          defaultValue={plan?.submissions ?? ''}
          problem={problems.submissions}
          hint="Given once, when it begins."
        />
        <ChoiceField
          label="Highlighted"
          name="highlighted"
          choices={yesOrNo}
          defaultValue={plan?.highlighted ? 'yes' : 'no'}
          problem={problems.highlighted}
        />
        <SaleFields
          item={plan ?? { position: nextPosition, is_sold: true }}
          problems={problems}
          keptFor={isFree ? 'The free plan cannot be withdrawn or priced: everybody begins with it.' : undefined}
        />
      </div>
      <FeaturesField features={plan?.features ?? []} problem={problems.features} />
    </EditDialog>
  );
}

const yesOrNo = [
  ['no', 'No'],
  ['yes', 'Yes'],
] as const;

interface PriceProps {
  plan: CataloguePlan | null;
  currency: string;
  problems: Record<string, string>;
}

function PriceAndTerm({ plan, currency, problems }: PriceProps) {
  return (
    <>
      <TextField
        label={`Price in ${currency}`}
        name="price_minor"
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        defaultValue={plan ? inHundredths(plan.price_minor) : ''}
        problem={problems.price_minor}
        hint="Such as 12.50, tax included."
      />
      <TextField
        label="Runs for (days)"
        name="period_days"
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        defaultValue={plan?.period_days ?? ''}
        problem={problems.period_days}
        hint="It never renews itself."
      />
    </>
  );
}

/** The form of the free plan asks for neither price nor term. */
function requestFor(plan: CataloguePlan | null, values: Record<string, string>) {
  const { name = '', price_minor, period_days, submissions = '', features = '', position = '' } = values;
  return {
    ...(plan ? { id: plan.id, version: plan.version } : {}),
    name,
    price_minor: price_minor === undefined ? 0 : hundredthsIn(price_minor),
    period_days: period_days === undefined ? null : wholeIn(period_days),
    submissions: wholeIn(submissions),
    features: features.split('\n').filter((feature) => feature.trim() !== ''),
    highlighted: values.highlighted === 'yes',
    position: wholeIn(position),
    is_sold: values.is_sold === 'yes',
  };
}
