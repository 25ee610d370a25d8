import { type ClientSummary, userList } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { hasLowBalance } from '../../entities/credits/balance.ts';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/dashboard.ts';
import { Loading } from '../../ui/loading.tsx';
import styles from './dashboard.module.css';
import { Figure, FigureCard } from './figure-card.tsx';

/** The most that one call gives. */
const counted = 100;
const listed = 8;
const pollMilliseconds = 15_000;

/** How the clients of an admin are doing. */
export function ClientsOverview({ isLeftOutWhenEmpty = false }: { isLeftOutWhenEmpty?: boolean }) {
  const clients = useQuery({
    ...queryOf(userList, { limit: counted }),
    refetchInterval: pollMilliseconds,
  });
  if (isLeftOutWhenEmpty && !clients.data?.total) return null;
  return (
    <Loading query={clients}>
      {({ users, total }) => (
        <>
          <div className={styles.figures}>
            <FigureCard title={texts.runningNow}>
              <Figure
                value={formatNumber(countRunning(users))}
                note={texts.batchesOfClients({ clients: users.length, total })}
              />
            </FigureCard>
            <FigureCard title={texts.lowBalance}>
              <Figure
                value={formatNumber(users.filter(hasLowBalance).length)}
                note={texts.ofYourClients({ clients: users.length, total })}
              />
            </FigureCard>
          </div>
          <section className="card" aria-labelledby="clients-title">
            <h2 id="clients-title">{texts.yourClients}</h2>
            {total === 0 ? (
              <p className="muted">{texts.noClients}</p>
            ) : (
              <ClientList clients={sortByUrgency(users).slice(0, listed)} />
            )}
            <Link to={paths.clients} className={styles.link}>
              {total === 0 ? texts.addClient : texts.allClients}
            </Link>
          </section>
        </>
      )}
    </Loading>
  );
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

function countRunning(clients: readonly ClientSummary[]): number {
  return clients.reduce((sum, { batches_running }) => sum + batches_running, 0);
}

/** Low balances first, then clients with running batches. */
function sortByUrgency(clients: readonly ClientSummary[]): ClientSummary[] {
  const rank = (client: ClientSummary) =>
    hasLowBalance(client) ? 0 : client.batches_running > 0 ? 1 : 2;
  return clients.toSorted((a, b) => rank(a) - rank(b));
}
