import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { isAdminAsAdmin } from '../../../lib/session.ts';
import { useStored } from '../../../lib/storage.ts';
import { lastBatchesQuery } from '../batch-lists.ts';
import { ClientsCard } from '../components/clients-card.tsx';
import { DayChart } from '../components/day-chart.tsx';
import { FigureRow } from '../components/figure-row.tsx';
import { FirstSteps } from '../components/first-steps.tsx';
import { LastBatches } from '../components/last-batches.tsx';
import { RunningBatches } from '../components/running-batches.tsx';

export function DashboardPage() {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  if (!user) return null;
  return (
    <>
      <div className="spread">
        <p className="welcome">Welcome, {user.first_name}.</p>
        <Link to={paths.ask} className="button primary">
          Submit a Batch (CSV)
        </Link>
      </div>
      {isAdminAsAdmin({ user, switchedAs }) ? <ClientsCard /> : <OwnCards userId={switchedAs?.user_id ?? user.id} />}
    </>
  );
}

/** For a client, and for an admin who acts as one. */
function OwnCards({ userId }: { userId: string }) {
  const { data } = useQuery(lastBatchesQuery);
  if (data?.total === 0) {
    return (
      <>
        <FirstSteps />
        <FigureRow userId={userId} />
        <LastBatches />
      </>
    );
  }
  return (
    <>
      <FigureRow userId={userId} />
      <div className="pair">
        <DayChart />
        <RunningBatches />
      </div>
      <LastBatches />
    </>
  );
}
