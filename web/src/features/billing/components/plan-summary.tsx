import type { Plan, TaxIncluded } from '@rowmill/contract';
import { Link } from 'react-router';
import { formatMoney, formatNumber } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { taxWords } from '../../../lib/tax-words.ts';

/** What is about to be bought. */
export function PlanSummary({ plan, tax }: { plan: Plan; tax: TaxIncluded }) {
  return (
    <section className="card" aria-labelledby="plan-title">
      <div className="spread">
        <h2 id="plan-title">{plan.name}</h2>
        <Link to={paths.plans}>Choose another plan</Link>
      </div>
      <p>
        {formatNumber(plan.submissions)} submissions
        {plan.period_days !== null && `, for ${formatNumber(plan.period_days)} days from today`}. It does not renew by itself.
      </p>
      <dl className="shop-totals">
        <dt>
          Total <span className="soft">with {taxWords(tax)}</span>
        </dt>
        <dd className="shop-total">{formatMoney(plan.price_minor, plan.currency)}</dd>
      </dl>
    </section>
  );
}
