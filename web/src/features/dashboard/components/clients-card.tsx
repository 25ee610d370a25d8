import { userList } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/dashboard.ts';
import { Loading } from '../../../ui/loading.tsx';

/** An admin's clients at a glance. */
export function ClientsCard() {
  const clients = useQuery({ queryKey: ['clients', ''], queryFn: () => call(userList, {}) });
  return (
    <section className="card">
      <h2>{texts.clients}</h2>
      <Loading query={clients}>
        {({ users, total }) => (
          <>
            <p className="number">{formatNumber(total)}</p>
            <p className="soft">{total === 0 ? texts.noClients : users.map((client) => client.first_name).join(', ')}</p>
          </>
        )}
      </Loading>
      <Link to={paths.clients}>{texts.allClients}</Link>
    </section>
  );
}
