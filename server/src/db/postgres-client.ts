import pg from 'pg';
import { WatchedConnections } from './dead-connections.ts';

/**
 * Settings of every connection to PostgreSQL. The server ends statements after 30 s; the client
 * gives up 5 s later, unless it finds a dead connection earlier. An idle transaction ends sooner:
 * it may hold locks of a lost machine, and others take over within half a minute.
 */
export const connectionSettings = {
  connectionTimeoutMillis: 2_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  statement_timeout: 30_000,
  query_timeout: 35_000,
  idle_in_transaction_session_timeout: 12_000,
  // Long lists follow indexes: a random page costs little more than the next one. Roles and
  // databases may have another form of dates, which the driver cannot read, or another schema.
  options: '-c random_page_cost=1.1 -c datestyle=ISO -c search_path=public',
} as const;

/** A request that waits this long for a lock gets 503; the engine tries again. */
export const lockTimeoutMilliseconds = 2_000;

/** The queue's statements are short; its polls for all kinds of jobs come at once. */
export const queueConnections = 4;

/** After a failed attempt. A little less than the time after which the listener tries again. */
const pauseMilliseconds = 1_200;

type Done = (error: Error | null) => void;

/**
 * The attempts to connect as one role. While the server is away, one attempt is made in this time
 * for all pools and requests; the others share its outcome.
 */
class Attempts {
  /** A connection was lost or refused, and none was made since. */
  #isDoubtful = false;
  #trial: Promise<Error | null> | null = null;
  #failure: { error: Error; until: number } | null = null;

  doubt(): void {
    this.#isDoubtful = true;
  }

  async make(connect: () => Promise<Error | null>): Promise<Error | null> {
    while (this.#isDoubtful) {
      if (this.#failure && performance.now() < this.#failure.until) return this.#failure.error;
      if (!this.#trial) return this.#try(connect);
      await this.#trial;
    }
    return connect();
  }

  async #try(connect: () => Promise<Error | null>): Promise<Error | null> {
    this.#trial = connect();
    const error = await this.#trial;
    this.#trial = null;
    this.#isDoubtful = error !== null;
    this.#failure = error && { error, until: performance.now() + pauseMilliseconds };
    return error;
  }
}

export type PostgresConnector = ReturnType<typeof postgresConnector>;

/** For every connection of a process as one role: they share their attempts to connect. */
export function postgresConnector(connectionString: string) {
  const config = { connectionString, ...connectionSettings };
  const attempts = new Attempts();
  const connections = new WatchedConnections(config);

  class Client extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(done: Done): void;
    override connect(done?: Done): Promise<pg.Client> | undefined {
      const connecting = this.#connect();
      if (!done) return connecting;
      connecting.then(
        () => done(null),
        (error) => done(error),
      );
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      // A dying server's error may come with the end of the handshake, before the pool listens. An
      // error without listener ends the process.
      this.on('error', () => {});
      // The driver reports a lost connection here first, before anyone asks for another one.
      this.connection.on('error', () => attempts.doubt());
      this.connection.on('end', () => attempts.doubt());
      const error = await attempts.make(
        () =>
          new Promise((resolve) => super.connect((error: Error | null) => resolve(error ?? null))),
      );
      if (error) throw error;
      connections.add(this);
      return this;
    }
  }
  return { ...config, Client };
}
