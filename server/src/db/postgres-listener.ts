import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from './transaction.ts';

const reconnectMilliseconds = 1_000;

/** Reaches every listening process when the transaction of `db` commits. */
export async function notify(db: Db, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db);
}

/** A connection that only listens and reconnects when it breaks. Notices sent in between are lost, so listeners also poll. */
export class PostgresListener implements AsyncDisposable {
  readonly #connectionString: string;
  readonly #listeners = new Map<string, (payload: string) => void>();
  #client: pg.Client | null = null;
  #isClosed = false;

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
  }

  async listen(channel: string, onNotice: (payload: string) => void): Promise<void> {
    this.#listeners.set(channel, onNotice);
    if (this.#client) await this.#client.query(`listen ${pg.escapeIdentifier(channel)}`);
    else await this.#connect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#connectionString, keepAlive: true });
    client.on('notification', ({ channel, payload }) =>
      this.#listeners.get(channel)?.(payload ?? ''),
    );
    client.on('error', () => this.#reconnect(client));
    client.on('end', () => this.#reconnect(client));
    await client.connect();
    this.#client = client;
    for (const channel of this.#listeners.keys())
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  }

  #reconnect(broken: pg.Client): void {
    if (this.#isClosed || (this.#client && this.#client !== broken)) return;
    this.#client = null;
    setTimeout(() => {
      if (!this.#isClosed) this.#connect().catch(() => this.#reconnect(broken));
    }, reconnectMilliseconds).unref();
  }
}
