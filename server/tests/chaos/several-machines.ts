import { ApiClient } from '../../harness/api-client.ts';
import { type Cluster, type MachineName, openCluster } from './cluster.ts';
import { pass, readTotals, seconds } from './totals.ts';

const takenOverWithinSeconds = 30;
const pollMilliseconds = 200;

interface Fault {
  name: string;
  victim: MachineName;
  /** Whether the leases of the victim must go to the other worker. */
  isTakenOver: boolean;
  /** Begins the fault, waits for `whenOver`, and ends it. */
  act(cluster: Cluster, victim: MachineName, whenOver: () => Promise<unknown>): Promise<void>;
}

const killed = (victim: MachineName): Fault => ({
  name: `${victim} killed`,
  victim,
  isTakenOver: victim.startsWith('worker'),
  act: (cluster, name, whenOver) => cluster.killAndRestart(name, whenOver),
});

const frozen = (victim: MachineName): Fault => ({
  name: `${victim} frozen`,
  victim,
  isTakenOver: true,
  async act(cluster, name, whenOver) {
    const { process } = cluster.machines[name].child;
    process.kill('SIGSTOP');
    await whenOver();
    process.kill('SIGCONT');
  },
});

/** Its connections to PostgreSQL stay open and carry nothing. */
const silenced = (victim: MachineName): Fault => ({
  name: `${victim} in a black hole`,
  victim,
  isTakenOver: true,
  async act(cluster, name, whenOver) {
    cluster.machines[name].way.silence();
    await whenOver();
  },
});

const killedPostgres: Fault = {
  name: 'PostgreSQL killed',
  victim: 'worker-1',
  isTakenOver: false,
  async act(cluster, _, whenOver) {
    await cluster.postgres.killAndRestart();
    await whenOver();
  },
};

/** 50 takeovers, with PostgreSQL or an API process killed after every fifth. */
export async function severalMachines({ isShort }: { isShort: boolean }): Promise<string[]> {
  const kinds = [killed('worker-1'), frozen('worker-2'), silenced('worker-1')];
  const others = [killed('worker-2'), frozen('worker-1'), silenced('worker-2')];
  const faults = Array.from({ length: isShort ? 3 : 50 }, (_, index) => [
    (index % 2 === 0 ? kinds : others)[index % kinds.length] as Fault,
    ...(index % 10 === 4 ? [killedPostgres] : []),
    ...(index % 10 === 9 ? [killed(index % 20 === 9 ? 'api-1' : 'api-2')] : []),
  ]).flat();
  await using stack = new AsyncDisposableStack();
  const cluster = await openCluster(stack);
  let isOver = false;
  const feeding = cluster.feed(() => isOver);
  const misses: string[] = [];
  const takeovers: number[] = [];
  for (const fault of faults) {
    const { took, statuses } = await run(cluster, fault);
    const isLate = took > takenOverWithinSeconds * 1_000;
    const isMissed = isLate || statuses.includes(500);
    if (fault.isTakenOver) takeovers.push(took);
    const line = `${isMissed ? 'MISS' : 'ok  '}  ${fault.name.padEnd(28)}  on after ${seconds(took)} s  API ${statuses.join(',')}`;
    process.stdout.write(`${line}\n`);
    if (isMissed) misses.push(line);
  }
  isOver = true;
  await feeding;
  const inTime = takeovers.filter((took) => took <= takenOverWithinSeconds * 1_000).length;
  process.stdout.write(
    `taken over within ${takenOverWithinSeconds} s: ${inTime} of ${takeovers.length}, at most ${seconds(Math.max(...takeovers))} s\n`,
  );
  return [...misses, ...(await checkEnd(cluster))];
}

async function run(cluster: Cluster, fault: Fault): Promise<{ took: number; statuses: number[] }> {
  await whenCalling(cluster, fault.isTakenOver ? fault.victim : 'worker-1');
  const alive = fault.victim === 'api-1' ? 'api-2' : 'api-1';
  const client = new ApiClient(cluster.machines[alive].child.url);
  const statuses = new Set<number>();
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      statuses.add(await client.status('getPlans', {}));
      await pass(1_000);
    }
  })();
  const leased = await leasedNow(cluster);
  let took = 0;
  await fault.act(cluster, fault.victim, async () => {
    const started = performance.now();
    await whenTakenOver(cluster, leased);
    const stored = await cluster.storedRows();
    while ((await cluster.storedRows()) === stored) await pass(pollMilliseconds);
    took = performance.now() - started;
  });
  isOver = true;
  await asking;
  return { took, statuses: [...statuses].sort() };
}

/** A worker with calls in flight has leases. */
async function whenCalling(cluster: Cluster, name: MachineName): Promise<void> {
  const client = new ApiClient(cluster.machines[name].child.url);
  const inFlight = () => client.metric('rowmill_calls_in_flight').catch(() => 0);
  while (!((await inFlight()) > 0)) await pass(pollMilliseconds);
}

interface Leased {
  ids: string[];
  at: string;
}

async function leasedNow(cluster: Cluster): Promise<Leased> {
  const { ids, at } = await cluster.ask(
    `select coalesce(array_agg(id), '{}') as ids, clock_timestamp()::text as at from jobs.job
     where name = 'batches.slice' and state = 'active'`,
  );
  return { ids: ids as string[], at: at as string };
}

/**
 * Each slice that was leased has ended or waits in the queue again, or a living process has renewed
 * or leased it since.
 */
async function whenTakenOver(cluster: Cluster, { ids, at }: Leased): Promise<void> {
  const isLeftOver = async () => {
    const { left } = await cluster.ask(
      `select count(*)::integer as left from jobs.job
       where id = any ($1::uuid[]) and state = 'active' and heartbeat_on <= $2::timestamptz`,
      [ids, at],
    );
    return Number(left) > 0;
  };
  while (await isLeftOver()) await pass(pollMilliseconds);
}

/** No row lost, none charged twice, all ledger checks passed. */
export async function checkEnd(cluster: Cluster): Promise<string[]> {
  const { answered, failed, charged } = await cluster.whenAllEnded();
  const { spent, openRows, brokenInvariants } = await readTotals({
    kind: 'postgres',
    url: cluster.postgres.url,
  });
  const line = `the end: lost ${openRows}, answered ${answered}, failed ${failed}, charged ${charged}, spent ${spent}; failed ledger checks ${brokenInvariants.length}`;
  process.stdout.write(`${line}\n`);
  const isRight = openRows === 0 && failed === 0 && charged === answered && spent === answered;
  return isRight && brokenInvariants.length === 0 ? [] : [line];
}
