import { sql } from 'kysely';
import pg from 'pg';
import type { PostgresConnector } from './postgres-client.ts';
import type { Db } from './transaction.ts';

const reconnectMilliseconds = 1_250;
const checkMilliseconds = 10_000;
const checkTimeoutMilliseconds = 5_000;

/** Reaches every listening process when the transaction of `db` commits. */
export async function notify(db: Db, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db);
}

/**
 * A connection that only listens. It reconnects about once a second while PostgreSQL is away, and
 * checks every ten seconds that it is alive. It may lose notices, so listeners also poll.
 */
export class PostgresListener implements AsyncDisposable {
  readonly #connector: PostgresConnector;
  readonly #listeners = new Map<string, (payload: string) => void>();
  #client: pg.Client | null = null;
  #reconnectTimer: NodeJS.Timeout | null = null;
  #checkTimer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(connector: PostgresConnector) {
    this.#connector = connector;
  }

  async listen(channel: string, onNotice: (payload: string) => void): Promise<void> {
    this.#listeners.set(channel, onNotice);
    if (this.#client) await this.#client.query(`listen ${pg.escapeIdentifier(channel)}`);
    else await this.#connect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    if (this.#reconnectTimer) clearTimeout(this.#reconnectTimer);
    if (this.#checkTimer) clearInterval(this.#checkTimer);
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new this.#connector.Client({
      ...this.#connector,
      query_timeout: checkTimeoutMilliseconds,
    });
    // 'end' follows every error of an open connection; a failed connect rejects below.
    client.on('error', () => {});
    client.on('notification', ({ channel, payload }) =>
      this.#listeners.get(channel)?.(payload ?? ''),
    );
    try {
      await client.connect();
      for (const channel of this.#listeners.keys())
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      closeQuietly(client);
      throw error;
    }
    if (this.#isClosed) return closeQuietly(client);
    this.#client = client;
    client.on('end', () => this.#lose(client));
    this.#checkTimer = setInterval(() => {
      client.query('select 1').catch(() => this.#lose(client));
    }, checkMilliseconds).unref();
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    if (this.#checkTimer) clearInterval(this.#checkTimer);
    closeQuietly(client);
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    if (this.#isClosed || this.#reconnectTimer) return;
    this.#reconnectTimer = setTimeout(() => {
      this.#reconnectTimer = null;
      this.#connect().catch(() => this.#reconnectLater());
    }, reconnectMilliseconds).unref();
  }
}

/** Ends a connection that may be dead already; a dead one would never acknowledge. */
function closeQuietly(client: pg.Client): void {
  client.end().catch(() => {});
  client.connection.stream.destroy();
}
