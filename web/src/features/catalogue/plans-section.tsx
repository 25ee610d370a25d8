import type { CataloguePlan } from '@rowmill/contract';
import { formatMoney, formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/catalogue.ts';
import { CatalogueSection } from './catalogue-section.tsx';
import { CatalogueTable } from './catalogue-table.tsx';

interface Props {
  plans: readonly CataloguePlan[];
  onEdit: (id: string | null) => void;
}

const titles = [texts.price, texts.runsFor, texts.submissions, texts.holders];

export function PlansSection({ plans, onEdit }: Props) {
  return (
    <CatalogueSection title={texts.plans} addLabel={texts.addPlan} onAdd={() => onEdit(null)}>
      <CatalogueTable
        label={texts.tableOfPlans}
        titles={titles}
        rows={plans.map(rowOf)}
        onEdit={onEdit}
      />
    </CatalogueSection>
  );
}

function rowOf({
  id,
  name,
  price_minor,
  currency,
  period_days,
  submissions,
  holders,
  highlighted,
  is_sold,
}: CataloguePlan) {
  return {
    id,
    name,
    marks: [...(is_sold ? [] : [texts.withdrawn]), ...(highlighted ? [texts.highlighted] : [])],
    cells: [
      price_minor === 0 ? texts.free : formatMoney(price_minor, currency),
      period_days === null
        ? texts.noEnd
        : texts.days({ days: formatNumber(period_days), isOne: period_days === 1 }),
      formatNumber(submissions),
      formatNumber(holders),
    ],
  };
}
