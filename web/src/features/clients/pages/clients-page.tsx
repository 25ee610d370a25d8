import { type ClientSummary, userList } from '@rowmill/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { formatNumber, formatTime } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Paging } from '../../../ui/paging.tsx';
import { SearchField } from '../../../ui/search-field.tsx';

const limit = 20;

/** Search and page stand in the address, so that it can be kept, sent and gone back to. */
export function ClientsPage() {
  const [parameters, setParameters] = useSearchParams();
  const search = parameters.get('search') ?? '';
  const start = startIn(parameters);
  const query = useQuery({
    queryKey: ['clients', search, start],
    queryFn: () => call(userList, { search, start, limit }),
    placeholderData: keepPreviousData,
  });
  const go = (next: { search: string; start: number }, replace = false) => setParameters(written(next), { replace });
  return (
    <section className="card" aria-busy={query.isFetching}>
      <SearchField
        label="Search"
        hint="By name or e-mail."
        value={search}
        onSearch={(text) => go({ search: text, start: 0 }, true)}
      />
      <Loading query={query}>
        {({ users, total }) =>
          users.length === 0 ? (
            <Nobody search={search} start={start} onClear={() => go({ search: '', start: 0 })} />
          ) : (
            <>
              <ClientTable users={users} />
              <Paging
                start={start}
                shown={users.length}
                total={total}
                limit={limit}
                onGo={(next) => go({ search, start: next })}
              />
            </>
          )
        }
      </Loading>
    </section>
  );
}

function startIn(parameters: URLSearchParams): number {
  const start = Number(parameters.get('start') ?? 0);
  return Number.isInteger(start) && start > 0 && start <= 10_000_000 ? start : 0;
}

function written({ search, start }: { search: string; start: number }): Record<string, string> {
  return { ...(search ? { search } : {}), ...(start ? { start: String(start) } : {}) };
}

function Nobody({ search, start, onClear }: { search: string; start: number; onClear: () => void }) {
  if (!search && !start) return <p>You have no clients yet. Whom you invite appears here at once.</p>;
  return (
    <div className="row">
      <p role="status">{search ? `Nobody matches “${search}”.` : 'There is nobody on this page.'}</p>
      <Button variant="secondary" onClick={onClear}>
        Show all clients
      </Button>
    </div>
  );
}

function ClientTable({ users }: { users: readonly ClientSummary[] }) {
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
              <td>{lastSeen(client)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function lastSeen({ last_seen_at, accepted }: ClientSummary): string {
  if (last_seen_at) return formatTime(last_seen_at);
  return accepted ? 'Never' : 'Invited';
}
