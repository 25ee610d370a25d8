import { nameOf } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { balanceQuery } from '../../entities/credits/balance.ts';
import { planQuery } from '../../entities/plan/present-plan.tsx';
import { paths } from '../../lib/paths.ts';
import { isAdminAsAdmin, useActedClient, useIdentity, userCan } from '../../lib/session.ts';
import * as texts from '../../texts/dashboard.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { StaleWhileError } from '../../ui/stale-while-error.tsx';
import { LastBatches, RunningBatches } from './batch-cards.tsx';
import { ClientsOverview } from './clients-overview.tsx';
import styles from './dashboard.module.css';
import { DayChart } from './day-chart.tsx';
import { FigureRow } from './figure-row.tsx';
import { FirstSteps } from './first-steps.tsx';
import { InstallationOverview } from './installation-overview.tsx';
import { lastBatchesQuery, runningBatchesQuery, usageQuery } from './queries.ts';

export function DashboardPage() {
  const identity = useIdentity();
  const client = useActedClient();
  const { user } = identity;
  if (!user) return null;
  return (
    <>
      <div className="spread">
        {/* An admin who acts as a client reads whose figures these are. */}
        <p className={styles.welcome}>
          {client ? texts.dashboardOf(nameOf(client)) : texts.welcome(user.first_name)}
        </p>
        <ButtonLink to={paths.ask}>{texts.submitBatch}</ButtonLink>
      </div>
      {isAdminAsAdmin(identity) ? (
        <AdminDashboard isOperator={userCan(user, 'viewInstallation')} />
      ) : (
        <ClientDashboard userId={client?.user_id ?? user.id} />
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

/** For a client, and for an admin acting as one. */
function ClientDashboard({ userId }: { userId: string }) {
  // The cards depend on whether there are batches, so they appear only after the answer and do not
  // jump.
  const query = useQuery(lastBatchesQuery());
  // Asked at the same time, not after it.
  const usage = useQuery(usageQuery());
  const plan = useQuery(planQuery(userId));
  const balance = useQuery(balanceQuery(userId));
  const running = useQuery({ ...runningBatchesQuery(), enabled: !!query.data?.total });
  const isOwn = useActedClient() === null;
  const needsPlan = plan.data?.plan === null && balance.data?.creditsAvailable === 0;
  return (
    <StaleWhileError query={query} inside={[usage, plan, balance, running]}>
      {({ total }) => (
        <>
          {/* It would spend the submissions of the client. */}
          {total === 0 && isOwn && <FirstSteps needsPlan={needsPlan} />}
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
    </StaleWhileError>
  );
}
