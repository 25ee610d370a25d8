import { getUserPlan } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { paths } from '../../../lib/paths.ts';
import { Loading } from '../../../ui/loading.tsx';

export function PlanCard({ userId }: { userId: string }) {
  const plan = useQuery({ queryKey: ['plan', userId], queryFn: () => call(getUserPlan, { user_id: userId }) });
  return (
    <section className="card">
      <h2>Plan</h2>
      <Loading query={plan}>
        {(answer) => (answer.plan ? <p className="number">{answer.plan.name}</p> : <Link to={paths.plans}>Choose a plan</Link>)}
      </Loading>
    </section>
  );
}
