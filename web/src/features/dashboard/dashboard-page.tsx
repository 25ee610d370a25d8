import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { type Identity, isActingAsSelf, isAdminAsAdmin } from '../../lib/session.ts';
import { useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/dashboard.ts';
import { Loading } from '../../ui/loading.tsx';
import { LastBatches, RunningBatches } from './batch-cards.tsx';
import { ClientsCard } from './clients-card.tsx';
import { DayChart } from './day-chart.tsx';
import { FigureRow } from './figure-row.tsx';
import { FirstSteps } from './first-steps.tsx';
import { lastBatchesQuery } from './queries.ts';

export function DashboardPage() {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  if (!user) return null;
  return (
    <>
      <div className="spread">
        <p className="welcome">{greeting({ user, switchedAs })}</p>
        <Link to={paths.ask} className="button primary">
          {texts.submitBatch}
        </Link>
      </div>
      {isAdminAsAdmin({ user, switchedAs }) ? (
        <ClientsCard userId={user.id} />
      ) : (
        <OwnCards userId={switchedAs?.user_id ?? user.id} />
      )}
    </>
  );
}

/** Nobody is welcomed to what is another's: an admin who acts as a client reads whose figures these are. */
function greeting({ user, switchedAs }: Identity): string {
  if (!switchedAs || isActingAsSelf({ user, switchedAs }))
    return texts.welcome(user?.first_name ?? '');
  return texts.dashboardOf(`${switchedAs.first_name} ${switchedAs.last_name}`);
}

/** For a client, and for an admin who acts as one. */
function OwnCards({ userId }: { userId: string }) {
  const query = useQuery(lastBatchesQuery());
  // Which cards there are depends on it: shown before, they would jump.
  return (
    <Loading query={query}>
      {({ total }) =>
        total === 0 ? <FirstCards userId={userId} /> : <UsualCards userId={userId} />
      }
    </Loading>
  );
}

function FirstCards({ userId }: { userId: string }) {
  return (
    <>
      <FirstSteps />
      <FigureRow userId={userId} />
      <LastBatches />
    </>
  );
}

function UsualCards({ userId }: { userId: string }) {
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
