import { type ClientSummary, userList } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { hasLowBalance } from '../../entities/client/low-balance.ts';
import { balanceQuery } from '../../entities/credits/balance.ts';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import * as texts from '../../texts/dashboard.ts';
import { Loading } from '../../ui/loading.tsx';
import { FigureCard } from './figure-row.tsx';

/** As many as one call gives. */
const counted = 100;
const listed = 8;
const pollMilliseconds = 15_000;

/** An admin's clients at a glance: what he can give them, and how they are doing, first those who need him. */
export function ClientsCard({ userId }: { userId: string }) {
  const query = useQuery({
    ...queryOf(userList, { limit: counted }),
    refetchInterval: pollMilliseconds,
  });
  return (
    <Loading query={query}>
      {({ users, total }) => (
        <>
          <div className="figures">
            <ToGive userId={userId} />
            <Figure
              title={texts.clientsRunning}
              number={runningOf(users)}
              words={texts.batchesOf(users.length)}
            />
            <Figure
              title={texts.lowBalance}
              number={users.filter(hasLowBalance).length}
              words={texts.lowOf(users.length)}
            />
          </div>
          <section className="card" aria-labelledby="clients-title">
            <h2 id="clients-title">{texts.clients}</h2>
            {total === 0 ? <NoClients /> : <Clients users={inNeedFirst(users)} />}
          </section>
        </>
      )}
    </Loading>
  );
}

function ToGive({ userId }: { userId: string }) {
  const credits = useQuery(balanceQuery(userId));
  return (
    <FigureCard title={texts.toGive}>
      <Loading query={credits}>
        {(amount) => <Amount amount={amount} words={texts.fromYours} />}
      </Loading>
    </FigureCard>
  );
}

function Figure({ title, number, words }: { title: string; number: number; words: string }) {
  return (
    <FigureCard title={title}>
      <Amount amount={number} words={words} />
    </FigureCard>
  );
}

function Amount({ amount, words }: { amount: number; words: string }) {
  return (
    <>
      <p className="number">{formatNumber(amount)}</p>
      <p className="soft">{words}</p>
    </>
  );
}

function Clients({ users }: { users: readonly ClientSummary[] }) {
  return (
    <>
      <ul className="plain lines">
        {users.slice(0, listed).map((client) => (
          <li key={client.id} className="batch-line">
            <Link
              to={`${paths.clients}?search=${encodeURIComponent(client.email)}`}
              className="cut"
              title={client.email}
            >
              {client.first_name} {client.last_name}
            </Link>
            {hasLowBalance(client) && <span className="badge client-low">{texts.low}</span>}
            <span className="soft">{standing(client)}</span>
          </li>
        ))}
      </ul>
      <Link to={paths.clients} className="batch-back">
        {texts.allClients}
      </Link>
    </>
  );
}

function standing(client: ClientSummary): string {
  const { creditsAvailable, spent_this_month, batches_running, last_seen_at } = client;
  return [
    texts.clientStands({
      available: formatNumber(creditsAvailable),
      spent: formatNumber(spent_this_month),
    }),
    ...(batches_running > 0 ? [texts.clientRuns(batches_running)] : []),
    last_seen_at ? texts.lastSeen(formatTime(last_seen_at)) : texts.notSeenYet,
  ].join(' · ');
}

function NoClients() {
  return (
    <>
      <p className="soft">{texts.noClients}</p>
      <Link to={paths.clients} className="batch-back">
        {texts.addClient}
      </Link>
    </>
  );
}

function runningOf(users: readonly ClientSummary[]): number {
  return users.reduce((sum, { batches_running }) => sum + batches_running, 0);
}

/** Those whose balance is low, then those who have a batch running, then as they come. */
function inNeedFirst(users: readonly ClientSummary[]): ClientSummary[] {
  const rank = (client: ClientSummary) =>
    hasLowBalance(client) ? 0 : client.batches_running > 0 ? 1 : 2;
  return users.toSorted((a, b) => rank(a) - rank(b));
}
