import pg from 'pg';

const retryMilliseconds = 1_000;

/** A connection that only listens. When it breaks it is made again: what was said meanwhile is lost, and asked for anew. */
export class PostgresListener implements AsyncDisposable {
  readonly #connectionString: string;
  readonly #listeners = new Map<string, (payload: string) => void>();
  #client: pg.Client | null = null;
  #isClosed = false;

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
  }

  async listen(channel: string, onNotified: (payload: string) => void): Promise<void> {
    this.#listeners.set(channel, onNotified);
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
    client.on('error', () => this.#connectAgain(client));
    client.on('end', () => this.#connectAgain(client));
    await client.connect();
    this.#client = client;
    for (const channel of this.#listeners.keys())
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  }

  #connectAgain(broken: pg.Client): void {
    if (this.#isClosed || (this.#client && this.#client !== broken)) return;
    this.#client = null;
    setTimeout(() => {
      if (!this.#isClosed) this.#connect().catch(() => this.#connectAgain(broken));
    }, retryMilliseconds).unref();
  }
}
