import { getAvailableCredits, getUserPlan, userList } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { isAdminAsAdmin } from '../../../lib/session.ts';
import { useStored } from '../../../lib/storage.ts';
import { Loading } from '../../../ui/loading.tsx';

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

function OwnCards({ userId }: { userId: string }) {
  const credits = useQuery({
    queryKey: ['credits', userId],
    queryFn: async () => (await call(getAvailableCredits, { creditUser: { user_id: userId } })).creditsAvailable,
  });
  const plan = useQuery({ queryKey: ['plan', userId], queryFn: () => call(getUserPlan, { user_id: userId }) });
  return (
    <div className="two">
      <section className="card">
        <h2>Submissions</h2>
        <Loading query={credits}>{(amount) => <p className="number">{formatNumber(amount)}</p>}</Loading>
        <p className="soft">One is used for each row that is answered, and none for a row that is not.</p>
      </section>
      <section className="card">
        <h2>Plan</h2>
        <Loading query={plan}>
          {(answer) => (answer.plan ? <p className="number">{answer.plan.name}</p> : <Link to={paths.plans}>Choose a plan</Link>)}
        </Loading>
      </section>
    </div>
  );
}

function ClientsCard() {
  const clients = useQuery({ queryKey: ['clients', ''], queryFn: () => call(userList, {}) });
  return (
    <section className="card">
      <h2>Your clients</h2>
      <Loading query={clients}>
        {({ users, total }) => (
          <>
            <p className="number">{formatNumber(total)}</p>
            <p className="soft">
              {total === 0 ? 'You have no clients yet.' : users.map((client) => client.first_name).join(', ')}
            </p>
          </>
        )}
      </Loading>
      <Link to={paths.clients}>See all clients</Link>
    </section>
  );
}
