import { getUserPlan } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { balanceQuery } from '../../entities/credits/balance.ts';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/dashboard.ts';
import { Loading } from '../../ui/loading.tsx';
import { chargedSince, daysLeft, successRate } from './figures.ts';
import { countedBatchesQuery } from './queries.ts';

const days = 7;

/** Balance, burn, success and plan of the person who is looked after here. */
export function FigureRow({ userId }: { userId: string }) {
  const batches = useQuery(countedBatchesQuery());
  const charged = batches.data ? chargedSince(batches.data.files, { now: new Date(), days }) : 0;
  return (
    <div className="figures">
      <Balance userId={userId} charged={charged} />
      <FigureCard title={texts.usedIn(days)}>
        <Loading query={batches}>
          {() => (
            <>
              <p className="number">{formatNumber(charged)}</p>
              <p className="soft">{texts.charged(charged)}</p>
            </>
          )}
        </Loading>
      </FigureCard>
      <FigureCard title={texts.successRate}>
        <Loading query={batches}>
          {({ files }) => <Success rate={successRate(files)} batches={files.length} />}
        </Loading>
      </FigureCard>
      <Plan userId={userId} />
    </div>
  );
}

function Balance({ userId, charged }: { userId: string; charged: number }) {
  const credits = useQuery(balanceQuery(userId));
  return (
    <FigureCard title={texts.submissions}>
      <Loading query={credits}>
        {(amount) => (
          <>
            <p className="number">{formatNumber(amount)}</p>
            <p className="soft">{lastingWords(daysLeft(amount, { charged, days }))}</p>
          </>
        )}
      </Loading>
    </FigureCard>
  );
}

function lastingWords(left: number | null): string {
  if (left === null) return texts.oneAnswersOneRow;
  if (left > 365) return texts.moreThanYear;
  return left < 1 ? texts.lessThanDay : texts.daysAtThisPace(left);
}

function Success({ rate, batches }: { rate: number | null; batches: number }) {
  if (rate === null) return <p className="soft">{texts.noRateYet}</p>;
  const words = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <>
      <p className="number">{words.format(rate)}</p>
      <p className="soft">{texts.ofTheRows(batches)}</p>
    </>
  );
}

function Plan({ userId }: { userId: string }) {
  const plan = useQuery(queryOf(getUserPlan, { user_id: userId }));
  return (
    <FigureCard title={texts.plan}>
      <Loading query={plan}>
        {({ plan: present }) => <p className="number">{present ? present.name : texts.noPlan}</p>}
      </Loading>
      <Link to={paths.plans} className="figure-link">
        {plan.data && !plan.data.plan ? texts.choosePlan : texts.allPlans}
      </Link>
    </FigureCard>
  );
}

/** One number that a person looks for first, with what it means. */
export function FigureCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card figure">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
