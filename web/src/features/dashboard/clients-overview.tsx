import { type ClientFilter, type ClientSummary, type RequestOf, userList } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { hasLowBalance } from '../../entities/credits/balance.ts';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber, formatTime, formatTotal } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/dashboard.ts';
import { StaleWhileError } from '../../ui/stale-while-error.tsx';
import styles from './dashboard.module.css';
import { Figure, FigureCard } from './figure-card.tsx';

const listed = 8;
const pollMilliseconds = 15_000;

const useClients = (request: Pick<RequestOf<typeof userList>, 'filter' | 'sort'>) =>
  useQuery({
    ...queryOf(userList, { ...request, limit: listed }),
    refetchInterval: pollMilliseconds,
  });

/** How the clients of an admin are doing: low balances first, then running batches. */
export function ClientsOverview({ isLeftOutWhenEmpty = false }: { isLeftOutWhenEmpty?: boolean }) {
  const all = useClients({});
  const low = useClients({ filter: 'low', sort: 'balance' });
  const running = useClients({ filter: 'running' });
  if (isLeftOutWhenEmpty && !all.data?.total) return null;
  return (
    <StaleWhileError query={all} inside={[low, running]}>
      {({ users, total }) => (
        <>
          <div className={styles.figures}>
            <ClientFigure title={texts.runningNow} filter="running" query={running} of={total} />
            <ClientFigure title={texts.lowBalance} filter="low" query={low} of={total} />
          </div>
          <section className="card" aria-labelledby="clients-title">
            <h2 id="clients-title">{texts.yourClients}</h2>
            {total === 0 ? (
              <p className="muted">{texts.noClients}</p>
            ) : (
              <ClientList clients={firstOf(low.data?.users, running.data?.users, users)} />
            )}
            <Link to={paths.clients} className={styles.link}>
              {total === 0 ? texts.addClient : texts.allClients}
            </Link>
          </section>
        </>
      )}
    </StaleWhileError>
  );
}

interface FigureProps {
  title: string;
  filter: ClientFilter;
  query: ReturnType<typeof useClients>;
  of: number;
}

/** How many clients a filter finds, with a way to them. */
function ClientFigure({ title, filter, query, of }: FigureProps) {
  return (
    <FigureCard title={title}>
      <StaleWhileError query={query}>
        {({ total }) => (
          <>
            <Figure value={formatTotal(total)} note={texts.ofYourClients(of, formatTotal(of))} />
            {total > 0 && (
              <Link to={`${paths.clients}?filter=${filter}`} className={styles.plansLink}>
                {texts.showThem}
              </Link>
            )}
          </>
        )}
      </StaleWhileError>
    </FigureCard>
  );
}

/** Each client once. */
function firstOf(...lists: (ClientSummary[] | undefined)[]): ClientSummary[] {
  const clients = new Map<string, ClientSummary>();
  for (const client of lists.flatMap((list) => list ?? []))
    if (!clients.has(client.id)) clients.set(client.id, client);
  return [...clients.values()].slice(0, listed);
}

function ClientList({ clients }: { clients: readonly ClientSummary[] }) {
  return (
    <ul className="plain lines">
      {clients.map((client) => (
        <li key={client.id} className={styles.entry}>
          <Link
            to={`${paths.clients}?search=${encodeURIComponent(client.email)}`}
            className="cut"
            title={client.email}
          >
            {client.first_name} {client.last_name}
          </Link>
          {hasLowBalance(client) && <span className="badge warning">{texts.low}</span>}
          <span className={`muted ${styles.detail}`}>{describeClient(client)}</span>
        </li>
      ))}
    </ul>
  );
}

function describeClient(client: ClientSummary): string {
  const { creditsAvailable, spent_this_month, batches_running, last_seen_at } = client;
  return [
    texts.clientBalance({
      available: formatNumber(creditsAvailable),
      spent: formatNumber(spent_this_month),
    }),
    ...(batches_running > 0 ? [texts.batchesRunning(batches_running)] : []),
    last_seen_at ? texts.lastSeen(formatTime(last_seen_at)) : texts.neverSeen,
  ].join(' · ');
}
