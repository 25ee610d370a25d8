import { getUserPlan, type UserPlan } from '@rowmill/contract';
import { call } from '../../lib/api/api-client.ts';
import { queryWith } from '../../lib/api/query.ts';
import { formatDay } from '../../lib/format.ts';
import * as texts from '../../texts/entities.ts';
import { correctStoredPlan } from './stored-plan.ts';

/** The plan of a person and those that follow it. */
export function planQuery(userId: string) {
  const request = { user_id: userId };
  return queryWith(getUserPlan, request, async (signal) => {
    const answer = await call(getUserPlan, request, { signal });
    correctStoredPlan(userId, answer.plan);
    return answer;
  });
}

interface Props {
  plan: UserPlan;
  /** The plans that follow it. */
  next: readonly UserPlan[];
  className?: string;
}

/** Until when a plan runs, and what follows it. */
export function PlanDates({ plan, next, className = '' }: Props) {
  return (
    <>
      {plan.ends_at && (
        <div className={`muted ${className}`}>
          <time dateTime={plan.ends_at}>{texts.planUntil(formatDay(plan.ends_at))}</time>
        </div>
      )}
      {next.map(({ name, started_at }, index) => {
        // A plan that was to come before it may be refunded.
        const start = (next[index - 1] ?? plan).ends_at ?? started_at;
        return (
          <div key={started_at} className={`muted ${className}`}>
            {texts.thenPlan(name)} <time dateTime={start}>{texts.planFrom(formatDay(start))}</time>
          </div>
        );
      })}
    </>
  );
}
