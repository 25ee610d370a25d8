import { join } from 'node:path';
import { Kysely } from 'kysely';
import { fromPglite, type Db as QueueHandle } from 'pg-boss';
import type { DatabaseConfig } from '../config/config.ts';
import { DataDirectoryLock } from './data-lock.ts';
import { EmbeddedDatabase } from './embedded-database.ts';
import { embeddedDialect } from './embedded-dialect.ts';
import { migrate } from './migrate.ts';
import { notify } from './notify.ts';
import { openPlain, openScoped } from './postgres-database.ts';
import { PostgresListener } from './postgres-listener.ts';
import { grantServingRole } from './row-security.ts';
import type { Schema } from './schema.ts';
import type { ScopedDb } from './scope.ts';
import { afterCommit, type Db } from './transaction.ts';

/** An open, migrated database: the handle for the stores, and how the job queue reaches the same one. */
export interface OpenDatabase extends AsyncDisposable {
  /** For the server's own work, which is about everybody: jobs, the engine, what providers report, the question who asks. */
  db: Db;
  scopedDb: ScopedDb;
  /** Tells every process that listens, when the transaction of `db` is committed. */
  notify(db: Db, payload: string): Promise<void>;
  listen(onNotified: (payload: string) => void): Promise<void>;
  queue: { backend: 'postgres'; connectionString: string } | { backend: 'pglite'; db: QueueHandle };
}

type PostgresConfig = Extract<DatabaseConfig, { kind: 'postgres' }>;

const noticeChannel = 'rowmill_notices';

export async function openDatabase(config: DatabaseConfig): Promise<OpenDatabase> {
  const open =
    config.kind === 'postgres' ? await openPostgres(config) : await openEmbedded(config.directory);
  try {
    if (config.kind === 'embedded' || !config.ownerUrl) await migrate(open.db);
    return open;
  } catch (error) {
    await open[Symbol.asyncDispose]();
    throw error;
  }
}

async function openPostgres({ url, ownerUrl }: PostgresConfig): Promise<OpenDatabase> {
  if (ownerUrl) await prepareAsOwner(ownerUrl, url);
  const { scopedDb, close } = ownerUrl ? openScoped(url) : openPlain(url);
  const ear = new PostgresListener(url);
  return {
    db: scopedDb('system'),
    scopedDb,
    notify: (handle, payload) => notify(handle, noticeChannel, payload),
    listen: (onNotified) => ear.listen(noticeChannel, onNotified),
    // The queue makes its own tables, and knows jobs, not persons.
    queue: { backend: 'postgres', connectionString: ownerUrl ?? url },
    [Symbol.asyncDispose]: async () => {
      await ear[Symbol.asyncDispose]();
      await close();
    },
  };
}

/** Only an owner changes tables; nothing else is done under that name. */
async function prepareAsOwner(ownerUrl: string, url: string): Promise<void> {
  const { scopedDb, close } = openPlain(ownerUrl);
  try {
    await migrate(scopedDb('system'));
    await grantServingRole(scopedDb('system'), url);
  } finally {
    await close();
  }
}

async function openEmbedded(directory: string | null): Promise<OpenDatabase> {
  const lock = directory === null ? null : DataDirectoryLock.take(directory);
  try {
    const embedded = await EmbeddedDatabase.open(
      directory === null ? null : join(directory, 'database'),
    );
    const db = new Kysely<Schema>({ dialect: embeddedDialect(embedded) });
    let hear = (_payload: string) => {};
    const close = async () => {
      await embedded[Symbol.asyncDispose]();
      lock?.[Symbol.dispose]();
    };
    return {
      db,
      scopedDb: () => db,
      // Nobody else can listen, so the database need not be asked to pass it on.
      notify: async (_db, payload) => afterCommit(() => hear(payload)),
      listen: async (onNotified) => {
        hear = onNotified;
      },
      queue: { backend: 'pglite', db: queueHandle(embedded) },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    lock?.[Symbol.dispose]();
    throw error;
  }
}

/** The job queue takes its turns like everybody else, so that its statements never land in a transaction of ours. */
function queueHandle(embedded: EmbeddedDatabase): QueueHandle {
  return fromPglite({
    query: (text: string, values?: unknown[]) =>
      embedded.turns.runExclusive(() => embedded.query(text, values ?? [])),
    exec: (text: string) => embedded.turns.runExclusive(() => embedded.script(text)),
    listen: (channel: string, onNotified: (payload: string) => void) =>
      embedded.listen(channel, onNotified),
  } as Parameters<typeof fromPglite>[0]);
}
