import { userList } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { formatNumber, formatTime } from '../../../lib/format.ts';
import { Loading } from '../../../ui/loading.tsx';
import { TextField } from '../../../ui/text-field.tsx';

export function ClientsPage() {
  const [search, setSearch] = useState('');
  const query = useQuery({
    queryKey: ['clients', search],
    queryFn: () => call(userList, { search }),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="card">
      <TextField label="Search" name="search" type="search" onChange={(event) => setSearch(event.target.value)} />
      <Loading query={query}>
        {({ users }) =>
          users.length === 0 ? <p>{search ? 'Nobody matches.' : 'You have no clients yet.'}</p> : <ClientTable users={users} />
        }
      </Loading>
    </section>
  );
}

type Users = Awaited<ReturnType<typeof call<typeof userList>>>['users'];

function ClientTable({ users }: { users: Users }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table" tabIndex={0} aria-label="Clients">
      <table>
        <thead>
          <tr>
            {['Name', 'E-mail', 'Plan', 'Submissions', 'Last seen'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {users.map((client) => (
            <tr key={client.id}>
              <td>
                {client.first_name} {client.last_name}
              </td>
              <td>{client.email}</td>
              <td>{client.plan ?? 'None'}</td>
              <td>{formatNumber(client.creditsAvailable)}</td>
              <td>{client.last_seen_at ? formatTime(client.last_seen_at) : client.accepted ? 'Never' : 'Invited'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
