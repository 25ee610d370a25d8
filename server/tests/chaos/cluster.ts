import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startFakeBucket } from '../../../fakes/bucket/server.ts';
import { sheetOf, signInDemo } from '../../harness/api-client.ts';
import { type OwnPostgres, startOwnPostgres } from '../../harness/own-postgres.ts';
import {
  type Child,
  kill9,
  megabytesOf,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../harness/processes.ts';
import { startProxy, type TcpProxy } from '../../harness/proxy.ts';
import { pass } from './totals.ts';

const roles = {
  'api-1': 'site,auth,plan,main',
  'api-2': 'site,auth,plan,main',
  'worker-1': 'worker',
  'worker-2': 'worker',
} as const;
export type MachineName = keyof typeof roles;

/** A process with its own data directory and connection, as on its own machine. */
interface Machine {
  child: Child;
  way: TcpProxy;
  directory: string;
}

const rowsOfABatch = 4_000;
const key = { id: 'rowmill', secret: 'a secret of the chaos' };

/** Two API processes and two workers on one PostgreSQL and one bucket, always with rows to send. */
export class Cluster {
  readonly postgres: OwnPostgres;
  readonly chat: Child;
  readonly admin: pg.Pool;
  readonly machines = {} as Record<MachineName, Machine>;
  readonly #env: Record<string, string>;
  #batches = 0;

  constructor(parts: { postgres: OwnPostgres; chat: Child; env: Record<string, string> }) {
    this.postgres = parts.postgres;
    this.chat = parts.chat;
    this.#env = parts.env;
    this.admin = new pg.Pool({ connectionString: parts.postgres.url, max: 2 });
    this.admin.on('error', () => {});
  }

  async start(name: MachineName): Promise<void> {
    const { way, directory } = this.machines[name];
    const env = { ...this.#env, SERVE: roles[name], DATABASE_URL: way.url };
    this.machines[name].child = await startProduct(env, directory, { keeps: true });
  }

  async killAndRestart(name: MachineName, meanwhile: () => Promise<unknown>): Promise<void> {
    await kill9(this.machines[name].child);
    await meanwhile();
    await this.start(name);
  }

  /** One row of a statement that is repeated until PostgreSQL answers. */
  async ask(statement: string, values: unknown[] = []): Promise<Record<string, unknown>> {
    for (;;) {
      try {
        return (await this.admin.query(statement, values)).rows[0] ?? {};
      } catch {
        await pass(100);
      }
    }
  }

  async openRows(): Promise<number> {
    const { open } = await this.ask(
      `select coalesce(sum(rows - answered - failed), 0)::integer as open from batches where state in ('running', 'paused')`,
    );
    return Number(open);
  }

  async storedRows(): Promise<number> {
    const { stored } = await this.ask(
      'select coalesce(sum(answered + failed), 0)::integer as stored from batches',
    );
    return Number(stored);
  }

  /** Starts another batch whenever less than one is left. Either API process will do. */
  async feed(isOver: () => boolean): Promise<void> {
    let sheetId = '';
    while (!isOver()) {
      await pass(1_000);
      if ((await this.openRows()) > rowsOfABatch) continue;
      const name = this.#batches % 2 === 0 ? 'api-1' : 'api-2';
      try {
        const client = await signInDemo(this.machines[name].child.url);
        sheetId ||= await client.upload(sheetOf(rowsOfABatch));
        await client.call('askChatGpt', {
          questionWithVariable: `Say {{Row}} in batch ${this.#batches}`,
          query: { file: sheetId, start: true },
        });
      } catch {
        // A fault at work: the other API process is asked next.
      }
      this.#batches++;
    }
  }

  /** Waits until every row has a result, which a lost row would prevent. */
  async whenAllEnded(): Promise<{ answered: number; failed: number; charged: number }> {
    while ((await this.openRows()) > 0) await pass(500);
    const totals = await this.ask(
      'select sum(answered)::integer as answered, sum(failed)::integer as failed, sum(charged)::integer as charged from batches',
    );
    return totals as { answered: number; failed: number; charged: number };
  }
}

/** Of the provider, in milliseconds, while it is not slow. */
export const usualLatency = 400;

export async function openCluster(stack: AsyncDisposableStack): Promise<Cluster> {
  const postgres = stack.use(await startOwnPostgres());
  const chat = stack.use(await startFakeChatProcess('--latency', `${usualLatency}`));
  const bucket = stack.use(await startFakeBucket(key));
  const env = {
    DEMO: 'off',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    CHAT_BASE_URL: chat.url,
    CHAT_CONCURRENCY: '16',
    FILES_BUCKET: 'sheets',
    FILES_ENDPOINT: bucket.url,
    FILES_ACCESS_KEY_ID: key.id,
    FILES_SECRET_ACCESS_KEY: key.secret,
  };
  const seeded = await prepareData({ ...env, DATABASE_URL: postgres.url });
  rmSync(seeded, { recursive: true });
  const cluster = new Cluster({ postgres, chat, env });
  stack.defer(() => cluster.admin.end());
  for (const name of Object.keys(roles) as MachineName[]) {
    const directory = mkdtempSync(join(tmpdir(), 'rowmill-machine-'));
    stack.defer(() => rmSync(directory, { recursive: true, force: true }));
    const way = stack.use(await startProxy(new URL(postgres.url)));
    cluster.machines[name] = { way, directory, child: {} as Child };
    await cluster.start(name);
    stack.defer(() => cluster.machines[name].child[Symbol.asyncDispose]());
  }
  return cluster;
}

/** Resident memory in MB and open files of a process. Linux only. */
export function resourcesOf({ child }: Machine): { megabytes: number; files: number } {
  const files = readdirSync(`/proc/${child.process.pid}/fd`).length;
  return { megabytes: megabytesOf(child, 'now'), files };
}
