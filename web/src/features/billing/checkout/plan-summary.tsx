import type { Plan } from '@rowmill/contract';
import { Link } from 'react-router';
import { formatNumber } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/billing.ts';

export function PlanSummary({ plan }: { plan: Plan }) {
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
    </section>
  );
}
