import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { fromPglite, type Db as QueueHandle } from 'pg-boss';
import type { DatabaseConfig } from '../config/config.ts';
import { DataDirectoryLock } from './data-lock.ts';
import { EmbeddedDatabase } from './embedded-database.ts';
import { embeddedDialect } from './embedded-dialect.ts';
import { migrate } from './migrate.ts';
import { notify } from './notify.ts';
import { PostgresEar } from './postgres-ear.ts';
import type { Schema } from './schema.ts';
import { afterCommit, type Db } from './transaction.ts';

/** An open, migrated database: the handle for the stores, and how the job queue reaches the same one. */
export interface OpenDatabase extends AsyncDisposable {
  db: Db;
  /** Tells every process that listens, when the transaction of `db` is committed. */
  notify(db: Db, payload: string): Promise<void>;
  listen(onNotified: (payload: string) => void): Promise<void>;
  queue: { backend: 'postgres'; connectionString: string } | { backend: 'pglite'; db: QueueHandle };
}

const bigintType = 20;
const noticeChannel = 'rowmill_notices';
const poolSize = 10;

export async function openDatabase(config: DatabaseConfig): Promise<OpenDatabase> {
  const open = config.kind === 'postgres' ? openPostgres(config.url) : await openEmbedded(config.directory);
  try {
    await migrate(open.db);
    return open;
  } catch (error) {
    await open[Symbol.asyncDispose]();
    throw error;
  }
}

function openPostgres(connectionString: string): OpenDatabase {
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    // A full pool answers "busy" instead of queueing without bound.
    connectionTimeoutMillis: 2_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    types: { getTypeParser: (oid, format) => (oid === bigintType ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // An idle connection that the server closes is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const ear = new PostgresEar(connectionString);
  const close = async () => {
    await ear[Symbol.asyncDispose]();
    await db.destroy();
  };
  return {
    db,
    notify: (handle, payload) => notify(handle, noticeChannel, payload),
    listen: (onNotified) => ear.listen(noticeChannel, onNotified),
    queue: { backend: 'postgres', connectionString },
    [Symbol.asyncDispose]: close,
  };
}

async function openEmbedded(directory: string | null): Promise<OpenDatabase> {
  const lock = directory === null ? null : DataDirectoryLock.take(directory);
  try {
    const embedded = await EmbeddedDatabase.open(directory === null ? null : join(directory, 'database'));
    const db = new Kysely<Schema>({ dialect: embeddedDialect(embedded) });
    let hear = (_payload: string) => {};
    const close = async () => {
      await embedded[Symbol.asyncDispose]();
      lock?.[Symbol.dispose]();
    };
    return {
      db,
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
    query: (text: string, values?: unknown[]) => embedded.turns.pass(() => embedded.query(text, values ?? [])),
    exec: (text: string) => embedded.turns.pass(() => embedded.script(text)),
    listen: (channel: string, onNotified: (payload: string) => void) => embedded.listen(channel, onNotified),
  } as Parameters<typeof fromPglite>[0]);
}
