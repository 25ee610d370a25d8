import type { CataloguePlan } from '@rowmill/contract';
import { formatMoney, formatNumber } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { CatalogueTable } from './catalogue-table.tsx';

interface Props {
  plans: readonly CataloguePlan[];
  onEdit: (id: string | null) => void;
}

const titles = ['Price', 'Runs for', 'Submissions', 'People who have it'] as const;

export function PlansSection({ plans, onEdit }: Props) {
  return (
    <section className="card" aria-labelledby="plans-title">
      <div className="spread">
        <h2 id="plans-title">Plans</h2>
        <Button variant="secondary" aria-haspopup="dialog" onClick={() => onEdit(null)}>
          Add a plan
        </Button>
      </div>
      <CatalogueTable label="Table of plans" titles={titles} rows={plans.map(rowOf)} onEdit={onEdit} />
    </section>
  );
}

function rowOf({ id, name, price_minor, currency, period_days, submissions, holders, highlighted, is_sold }: CataloguePlan) {
  return {
    id,
    name,
    marks: [...(is_sold ? [] : ['Withdrawn']), ...(highlighted ? ['Highlighted'] : [])],
    cells: [
      price_minor === 0 ? 'Free' : formatMoney(price_minor, currency),
      period_days === null ? 'No end' : `${formatNumber(period_days)} ${period_days === 1 ? 'day' : 'days'}`,
      formatNumber(submissions),
      formatNumber(holders),
    ],
  };
}
