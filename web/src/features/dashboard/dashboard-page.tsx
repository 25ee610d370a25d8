import { nameOf } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../lib/paths.ts';
import {
  type Identity,
  isActingAsSelf,
  isAdminAsAdmin,
  useIdentity,
  userCan,
} from '../../lib/session.ts';
import { useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/dashboard.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { LastBatches, RunningBatches } from './batch-cards.tsx';
import { ClientsOverview } from './clients-overview.tsx';
import styles from './dashboard.module.css';
import { DayChart } from './day-chart.tsx';
import { FigureRow } from './figure-row.tsx';
import { FirstSteps } from './first-steps.tsx';
import { InstallationOverview } from './installation-overview.tsx';
import { lastBatchesQuery, planQuery, usageQuery } from './queries.ts';

export function DashboardPage() {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  if (!user) return null;
  return (
    <>
      <div className="spread">
        <p className={styles.welcome}>{greeting({ user, switchedAs })}</p>
        <ButtonLink to={paths.ask}>{texts.submitBatch}</ButtonLink>
      </div>
      {isAdminAsAdmin({ user, switchedAs }) ? (
        <AdminDashboard isOperator={userCan(user, 'viewInstallation')} />
      ) : (
        <ClientDashboard userId={switchedAs?.user_id ?? user.id} />
      )}
    </>
  );
}

/** An operator may have clients too, but looks at the installation first. */
function AdminDashboard({ isOperator }: { isOperator: boolean }) {
  if (!isOperator) return <ClientsOverview />;
  return (
    <>
      <InstallationOverview />
      <ClientsOverview isLeftOutWhenEmpty />
    </>
  );
}

/** An admin who acts as a client reads whose figures these are instead of a welcome. */
function greeting({ user, switchedAs }: Identity): string {
  if (!switchedAs || isActingAsSelf({ user, switchedAs }))
    return texts.welcome(user?.first_name ?? '');
  return texts.dashboardOf(nameOf(switchedAs));
}

/** For a client, and for an admin acting as one. */
function ClientDashboard({ userId }: { userId: string }) {
  // The cards depend on whether there are batches, so they appear only after the answer and do not
  // jump.
  const query = useQuery(lastBatchesQuery());
  // Asked at the same time, not after it.
  useQuery(usageQuery());
  useQuery(planQuery(userId));
  const isOwn = isActingAsSelf(useIdentity());
  return (
    <Loading query={query}>
      {({ total }) => (
        <>
          {/* It would spend the submissions of the client. */}
          {total === 0 && isOwn && <FirstSteps />}
          <FigureRow userId={userId} />
          {total > 0 && (
            <div className={styles.pair}>
              <DayChart />
              <RunningBatches />
            </div>
          )}
          <LastBatches />
        </>
      )}
    </Loading>
  );
}
