import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { balanceQuery } from '../../entities/credits/balance.ts';
import { PlanDates, planQuery } from '../../entities/plan/present-plan.tsx';
import { formatNumber } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/dashboard.ts';
import { StaleWhileError } from '../../ui/stale-while-error.tsx';
import styles from './dashboard.module.css';
import { Figure, FigureCard } from './figure-card.tsx';
import { daysLeft, formatShare, successRate, sumOf } from './figures.ts';
import { usageQuery } from './queries.ts';

const days = 7;

/** Balance, use, success rate and plan of a client. */
export function FigureRow({ userId }: { userId: string }) {
  const balance = useQuery(balanceQuery(userId));
  const usage = useQuery(usageQuery());
  const plan = useQuery(planQuery(userId));
  const charged = usage.data?.charged ?? [];
  const recent = sumOf(charged.slice(-days));
  return (
    <div className={styles.figures}>
      <FigureCard title={texts.submissions}>
        <StaleWhileError query={balance}>
          {({ creditsAvailable, debt }) => (
            <Figure
              value={formatNumber(creditsAvailable)}
              note={
                debt > 0
                  ? texts.owed(formatNumber(debt))
                  : creditsAvailable === 0
                    ? texts.noneLeft
                    : describeDaysLeft(daysLeft(creditsAvailable, { charged, days }))
              }
            />
          )}
        </StaleWhileError>
      </FigureCard>
      <FigureCard title={texts.usedInDays(days)}>
        <StaleWhileError query={usage}>
          {() => <Figure value={formatNumber(recent)} note={texts.charged(recent)} />}
        </StaleWhileError>
      </FigureCard>
      <FigureCard title={texts.successRate}>
        <StaleWhileError query={usage}>{(rows) => <SuccessRate rows={rows} />}</StaleWhileError>
      </FigureCard>
      <FigureCard title={texts.plan}>
        <StaleWhileError query={plan}>
          {({ plan, next_plans }) => (
            <>
              <p className={`number ${styles.value}`}>{plan ? plan.name : texts.noPlan}</p>
              {plan && <PlanDates plan={plan} next={next_plans} className={styles.note} />}
            </>
          )}
        </StaleWhileError>
        <Link to={paths.plans} className={styles.plansLink}>
          {plan.data && !plan.data.plan ? texts.choosePlan : texts.allPlans}
        </Link>
      </FigureCard>
    </div>
  );
}

function describeDaysLeft(left: number | null): string {
  if (left === null) return texts.onlyForAnswers;
  if (left > 365) return texts.lastsOverAYear;
  return left < 1 ? texts.lastsUnderADay : texts.lastsDays(left);
}

function SuccessRate({ rows }: { rows: { answered: number; failed: number } }) {
  const rate = successRate(rows);
  if (rate === null) return <p className={`muted ${styles.note}`}>{texts.noRowsYet}</p>;
  return (
    <Figure
      value={formatShare(rate)}
      note={texts.ofRows(formatNumber(rows.answered + rows.failed))}
    />
  );
}
