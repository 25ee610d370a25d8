import pg from 'pg';

/** After this long without a byte, PostgreSQL is asked over another connection. */
const quietMilliseconds = 5_000;
const lookMilliseconds = 1_000;
/** An answer that was on its way when PostgreSQL was asked has arrived after this. */
const graceMilliseconds = 1_000;
const askTimeoutMilliseconds = 3_000;

/** Fields of the driver's client that its types leave out. */
type Client = pg.Client & { readyForQuery: boolean; processID: number };

interface Seen {
  bytes: number;
  /** When this number of bytes was first seen. */
  since: number;
}

/**
 * The open connections of one role to one database. A firewall or a lost machine leaves connections
 * that neither answer nor fail, which TCP notices after minutes. So long statements are looked up
 * in pg_stat_activity: if PostgreSQL does not work on one, its connection is dead.
 */
export class WatchedConnections {
  readonly #config: pg.ClientConfig;
  readonly #open = new Map<Client, Seen>();
  #timer: NodeJS.Timeout | null = null;
  #isAsking = false;

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  /** Watches a client that has just connected, until its connection ends. */
  add(connected: pg.Client): void {
    const client = connected as Client;
    this.#open.set(client, { bytes: bytesOf(client), since: performance.now() });
    client.connection.once('end', () => this.#remove(client));
    this.#timer ??= setInterval(() => this.#look(), lookMilliseconds).unref();
  }

  #remove(client: Client): void {
    this.#open.delete(client);
    if (this.#open.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    const now = performance.now();
    for (const [client, seen] of this.#open) {
      const bytes = bytesOf(client);
      if (bytes !== seen.bytes) this.#open.set(client, { bytes, since: now });
    }
    const waiting = this.#quiet().filter((client) => !client.readyForQuery);
    if (waiting.length === 0 || this.#isAsking) return;
    this.#isAsking = true;
    this.#ask(waiting)
      // PostgreSQL cannot be reached at all: statements wait until they give up.
      .catch(() => {})
      .finally(() => {
        this.#isAsking = false;
      });
  }

  #quiet(): Client[] {
    const before = performance.now() - quietMilliseconds;
    const isQuiet = ([client, { bytes, since }]: [Client, Seen]) =>
      since <= before && bytes === bytesOf(client);
    return [...this.#open].filter(isQuiet).map(([client]) => client);
  }

  async #ask(waiting: readonly Client[]): Promise<void> {
    const inspector = new pg.Client({ ...this.#config, query_timeout: askTimeoutMilliseconds });
    inspector.on('error', () => {});
    try {
      await inspector.connect();
      const stuck = await findStuck(inspector as Client, waiting);
      if (stuck.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, graceMilliseconds));
      const quiet = new Set(this.#quiet());
      const dead = stuck.filter((client) => quiet.has(client) && !client.readyForQuery);
      if (dead.length === 0) return;
      // An idle connection that was quiet as long may be dead too, and would cost the same wait.
      const idle = [...quiet].filter((client) => client.readyForQuery);
      for (const client of [...dead, ...idle]) client.connection.stream.destroy();
      // Their transactions hold locks.
      await inspector.query('select pg_terminate_backend(pid) from unnest($1::integer[]) pid', [
        dead.map(({ processID }) => processID),
      ]);
    } finally {
      inspector.end().catch(() => {});
    }
  }
}

/** The clients whose statement PostgreSQL is not working on. */
async function findStuck(inspector: Client, waiting: readonly Client[]): Promise<Client[]> {
  const { rows } = await inspector.query(
    `select pg_backend_pid() as own, array(select pid from pg_stat_activity
      where pid = any ($1) and (state is null or state not like 'idle%')) as working`,
    [waiting.map(({ processID }) => processID)],
  );
  const { own, working } = rows[0] as { own: number; working: number[] };
  // A pooler in between gives other numbers; then nothing can be known.
  if (own !== inspector.processID) return [];
  return waiting.filter(({ processID }) => !working.includes(processID));
}

const bytesOf = ({ connection }: pg.Client) =>
  (connection.stream as { bytesRead?: number }).bytesRead ?? 0;
