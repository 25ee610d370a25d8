import { getAvailableCredits } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { Loading } from '../../../ui/loading.tsx';

export function SubmissionsCard({ userId }: { userId: string }) {
  const credits = useQuery({
    queryKey: ['credits', userId],
    queryFn: async () => (await call(getAvailableCredits, { creditUser: { user_id: userId } })).creditsAvailable,
  });
  return (
    <section className="card">
      <h2>Submissions</h2>
      <Loading query={credits}>{(amount) => <p className="number">{formatNumber(amount)}</p>}</Loading>
      <p className="soft">One is used for each row that is answered, and none for a row that is not.</p>
      <div className="row">
        <Link to={paths.ask} className="button primary">
          Submit a Batch (CSV)
        </Link>
      </div>
    </section>
  );
}
