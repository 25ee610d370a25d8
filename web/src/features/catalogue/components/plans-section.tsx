import type { CataloguePlan } from '@rowmill/contract';
import { formatMoney, formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/catalogue.ts';
import { Button } from '../../../ui/button.tsx';
import { CatalogueTable } from './catalogue-table.tsx';

interface Props {
  plans: readonly CataloguePlan[];
  onEdit: (id: string | null) => void;
}

const titles = [texts.price, texts.runsFor, texts.submissions, texts.holders];

export function PlansSection({ plans, onEdit }: Props) {
  return (
    <section className="card" aria-labelledby="plans-title">
      <div className="spread">
        <h2 id="plans-title">{texts.plans}</h2>
        <Button variant="secondary" aria-haspopup="dialog" onClick={() => onEdit(null)}>
          {texts.addPlan}
        </Button>
      </div>
      <CatalogueTable label={texts.tableOfPlans} titles={titles} rows={plans.map(rowOf)} onEdit={onEdit} />
    </section>
  );
}

function rowOf({ id, name, price_minor, currency, period_days, submissions, holders, highlighted, is_sold }: CataloguePlan) {
  return {
    id,
    name,
    marks: [...(is_sold ? [] : [texts.withdrawn]), ...(highlighted ? [texts.highlighted] : [])],
    cells: [
      price_minor === 0 ? texts.free : formatMoney(price_minor, currency),
      period_days === null ? texts.noEnd : texts.days({ days: formatNumber(period_days), isOne: period_days === 1 }),
      formatNumber(submissions),
      formatNumber(holders),
    ],
  };
}
