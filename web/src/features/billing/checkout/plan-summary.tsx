import type { Plan, TaxIncluded } from '@rowmill/contract';
import { Link } from 'react-router';
import { formatMoney, formatNumber, formatTax } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/billing.ts';
import styles from '../billing.module.css';

export function PlanSummary({ plan, tax }: { plan: Plan; tax: TaxIncluded }) {
  return (
    <section className="card" aria-labelledby="plan-title">
      <div className="spread">
        <h2 id="plan-title">{plan.name}</h2>
        <Link to={paths.plans}>{texts.chooseAnotherPlan}</Link>
      </div>
      <p>
        {texts.planTerms({
          submissions: formatNumber(plan.submissions),
          days: plan.period_days === null ? null : formatNumber(plan.period_days),
        })}
      </p>
      <dl className={styles.totals}>
        <dt>
          {texts.total} <span className="muted">{texts.withTax(formatTax(tax))}</span>
        </dt>
        <dd className={styles.total}>{formatMoney(plan.price_minor, plan.currency)}</dd>
      </dl>
    </section>
  );
}
