import { isAdminAsAdmin } from '../../../lib/session.ts';
import { useStored } from '../../../lib/storage.ts';
import { ClientsCard } from '../components/clients-card.tsx';
import { LastBatches } from '../components/last-batches.tsx';
import { PlanCard } from '../components/plan-card.tsx';
import { RunningBatches } from '../components/running-batches.tsx';
import { SubmissionsCard } from '../components/submissions-card.tsx';

export function DashboardPage() {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  if (!user) return null;
  return (
    <>
      <p>Welcome, {user.first_name}.</p>
      {isAdminAsAdmin({ user, switchedAs }) ? <ClientsCard /> : <OwnCards userId={switchedAs?.user_id ?? user.id} />}
    </>
  );
}

/** For a client, and for an admin who acts as one. */
function OwnCards({ userId }: { userId: string }) {
  return (
    <>
      <div className="two">
        <SubmissionsCard userId={userId} />
        <PlanCard userId={userId} />
      </div>
      <RunningBatches />
      <LastBatches />
    </>
  );
}
