import { getAvailableCredits, getUserPlan } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { Loading } from '../../../ui/loading.tsx';
import { reckonedBatchesQuery } from '../batch-lists.ts';
import { chargedSince, daysLeft, successRate } from '../figures.ts';
import { FigureCard } from './figure-card.tsx';

const days = 7;

/** Balance, burn, success and plan of the person who is looked after here. */
export function FigureRow({ userId }: { userId: string }) {
  const batches = useQuery(reckonedBatchesQuery);
  const charged = batches.data ? chargedSince(batches.data.files, { now: new Date(), days }) : 0;
  return (
    <div className="figures">
      <Balance userId={userId} charged={charged} />
      <FigureCard title={`Used in ${days} days`}>
        <Loading query={batches}>
          {() => (
            <>
              <p className="number">{formatNumber(charged)}</p>
              <p className="soft">{charged === 1 ? 'submission' : 'submissions'} charged</p>
            </>
          )}
        </Loading>
      </FigureCard>
      <FigureCard title="Success rate">
        <Loading query={batches}>{({ files }) => <Success rate={successRate(files)} batches={files.length} />}</Loading>
      </FigureCard>
      <Plan userId={userId} />
    </div>
  );
}

function Balance({ userId, charged }: { userId: string; charged: number }) {
  const credits = useQuery({
    queryKey: ['credits', userId],
    queryFn: async () => (await call(getAvailableCredits, { creditUser: { user_id: userId } })).creditsAvailable,
  });
  return (
    <FigureCard title="Submissions">
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
  if (left === null) return 'One answers one row.';
  if (left > 365) return 'More than a year at this pace.';
  return left < 1 ? 'Less than a day at this pace.' : `About ${left} ${left === 1 ? 'day' : 'days'} at this pace.`;
}

function Success({ rate, batches }: { rate: number | null; batches: number }) {
  if (rate === null) return <p className="soft">Known once a row is done.</p>;
  const words = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <>
      <p className="number">{words.format(rate)}</p>
      <p className="soft">of the rows of {batches === 1 ? 'your batch' : `your last ${batches} batches`}</p>
    </>
  );
}

function Plan({ userId }: { userId: string }) {
  const plan = useQuery({ queryKey: ['plan', userId], queryFn: () => call(getUserPlan, { user_id: userId }) });
  return (
    <FigureCard title="Plan">
      <Loading query={plan}>{({ plan: present }) => <p className="number">{present ? present.name : 'None'}</p>}</Loading>
      <Link to={paths.plans} className="figure-link">
        {plan.data && !plan.data.plan ? 'Choose a plan' : 'See all plans'}
      </Link>
    </FigureCard>
  );
}
