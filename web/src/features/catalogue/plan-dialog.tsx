import { type CataloguePlan, catalogueLimits, savePlan } from '@rowmill/contract';
import type { Values } from '../../lib/hooks/use-form.ts';
import { hundredthsIn, wholeNumberIn } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { EditDialog } from '../../ui/form/edit-dialog.tsx';
import { TextArea } from '../../ui/form/text-area.tsx';
import { NumberField } from '../../ui/form/text-field.tsx';
import { changedByPrices } from './api.ts';
import { NameField, PriceField, SaleFields } from './item-fields.tsx';

interface Props {
  /** Null for a new one. */
  plan: CataloguePlan | null;
  currency: string;
  nextPosition: number;
  onShowCurrent: () => void;
  onClose: () => void;
}

export function PlanDialog({ plan, currency, nextPosition, onShowCurrent, onClose }: Props) {
  const isFree = plan?.price_minor === 0;
  return (
    <EditDialog
      title={plan ? texts.editItem(plan.name) : texts.newPlan}
      note={plan ? texts.planNote : undefined}
      endpoint={savePlan}
      toRequest={(values) => requestFor(plan, values)}
      changes={changedByPrices}
      onShowCurrent={onShowCurrent}
      onClose={onClose}
    >
      <NameField name={plan?.name} />
      <div className="grid-fields">
        {!isFree && <PriceAndTerm plan={plan} currency={currency} />}
        <NumberField
          label={texts.submissions}
          name="submissions"
          defaultValue={plan?.submissions}
          hint={texts.submissionsHint}
        />
        <ChoiceField
          label={texts.highlighted}
          name="highlighted"
          choices={yesOrNo}
          defaultValue={plan?.highlighted ? 'yes' : 'no'}
        />
        <SaleFields
          item={plan ?? { position: nextPosition, is_sold: true }}
          keptFor={isFree ? texts.keptForAll : undefined}
        />
      </div>
      <TextArea
        label={texts.features}
        name="features"
        defaultValue={plan?.features.join('\n') ?? ''}
        hint={texts.featuresHint(catalogueLimits.features)}
      />
    </EditDialog>
  );
}

const yesOrNo = [
  ['no', texts.no],
  ['yes', texts.yes],
] as const;

interface PriceProps {
  plan: CataloguePlan | null;
  currency: string;
}

function PriceAndTerm({ plan, currency }: PriceProps) {
  return (
    <>
      <PriceField name="price_minor" currency={currency} minor={plan?.price_minor} />
      <NumberField
        label={texts.runsForDays}
        name="period_days"
        defaultValue={plan?.period_days}
        hint={texts.runsForHint}
      />
    </>
  );
}

/** The free plan has neither price nor term. */
function requestFor(plan: CataloguePlan | null, values: Values) {
  const {
    name = '',
    price_minor,
    period_days,
    submissions = '',
    features = '',
    position = '',
  } = values;
  return {
    ...(plan ? { id: plan.id, version: plan.version } : {}),
    name,
    price_minor: price_minor === undefined ? 0 : hundredthsIn(price_minor),
    period_days: period_days === undefined ? null : wholeNumberIn(period_days),
    submissions: wholeNumberIn(submissions),
    features: features.split('\n').filter((feature) => feature.trim() !== ''),
    highlighted: values.highlighted === 'yes',
    position: wholeNumberIn(position),
    is_sold: values.is_sold === 'yes',
  };
}
