import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { fromPglite, type Db as QueueHandle } from 'pg-boss';
import type { DatabaseConfig } from '../config/config.ts';
import { ConfigRefused } from '../config/problems.ts';
import { orUndo } from '../lib/failed-work.ts';
import { StartRefused } from '../lib/start-refused.ts';
import type { RequestWait } from './connection-turns.ts';
import { DataDirectoryLock } from './embedded/data-lock.ts';
import { EmbeddedDatabase } from './embedded/embedded-database.ts';
import { embeddedDialect } from './embedded/embedded-dialect.ts';
import { migrate } from './migrate.ts';
import { type PostgresConnector, postgresConnector, queueConnections } from './postgres-client.ts';
import { openPlain, openScoped } from './postgres-database.ts';
import { notify, PostgresListener } from './postgres-listener.ts';
import { grantServingRole } from './row-security.ts';
import type { Schema } from './schema.ts';
import type { ScopedDb } from './scope.ts';
import { afterCommit, type Db } from './transaction.ts';

/** An open, migrated database, and how the job queue connects to it. */
export interface OpenDatabase extends AsyncDisposable {
  /** System scope: for jobs, the engine, webhooks and authentication. */
  db: Db;
  scopedDb: ScopedDb;
  /** Reaches every listening process when the transaction of `db` commits. */
  notify(db: Db, payload: string): Promise<void>;
  listen(onNotice: (payload: string) => void): Promise<void>;
  queue:
    | ({ backend: 'postgres'; max: number } & PostgresConnector)
    | { backend: 'pglite'; db: QueueHandle };
}

type PostgresConfig = Extract<DatabaseConfig, { kind: 'postgres' }>;

const noticeChannel = 'rowmill_notices';
const pingTimeoutMilliseconds = 3_000;

export async function openDatabase(
  config: DatabaseConfig,
  options?: { statementSeconds?: number },
): Promise<OpenDatabase> {
  const open =
    config.kind === 'postgres'
      ? await openPostgres(config)
      : await openEmbedded(config.directory, options);
  const close = () => open[Symbol.asyncDispose]();
  if (config.kind === 'embedded') await orUndo(migrate(open.db), close);
  return open;
}

/** As the owner, without migrating it and without time limits. For backups. */
export async function openForCopy(
  config: DatabaseConfig,
  { isBlank = false } = {},
): Promise<AsyncDisposable & { db: Db }> {
  if (config.kind === 'embedded') return openEmbedded(config.directory, { isBlank });
  const { scopedDb, close } = openPlain(postgresConnector(config.ownerUrl ?? config.url), {
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  });
  const db = scopedDb('system');
  try {
    await assertReachesAllRows(db, ownerSetting(config.ownerUrl));
    return { db, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function isReachable(db: Db): Promise<boolean> {
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  const timeout = new Promise<boolean>((resolve) =>
    setTimeout(resolve, pingTimeoutMilliseconds, false).unref(),
  );
  return Promise.race([answer, timeout]);
}

async function openPostgres({ url, ownerUrl }: PostgresConfig): Promise<OpenDatabase> {
  const connector = postgresConnector(url);
  const owner = ownerUrl ? postgresConnector(ownerUrl) : connector;
  await prepare(owner, ownerUrl ? url : null);
  const { scopedDb, close } = ownerUrl ? openScoped(connector) : openPlain(connector);
  const listener = new PostgresListener(connector);
  return {
    db: scopedDb('system'),
    scopedDb,
    notify: (db, payload) => notify(db, noticeChannel, payload),
    listen: (onNotice) => listener.listen(noticeChannel, onNotice),
    // The queue creates its own tables, and its jobs belong to no person.
    queue: { backend: 'postgres', ...owner, max: queueConnections },
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]();
      await close();
    },
  };
}

/** Migrations and grants need the owner of the tables; nothing else runs under that role. */
async function prepare(owner: PostgresConnector, servingUrl: string | null): Promise<void> {
  const { scopedDb, close } = openPlain(owner, { query_timeout: 0 });
  const db = scopedDb('system');
  const setting = ownerSetting(servingUrl);
  try {
    await assertUsable(db, setting);
    await assertReachesAllRows(db, setting);
    if (servingUrl) await assertServes(servingUrl, await identityOf(db));
    await db.connection().execute(migrateUnhurried);
    if (servingUrl) await grantServingRole(db, servingUrl);
  } finally {
    await close();
  }
}

/** The setting with the owner of the tables, given what is only set with two roles. */
const ownerSetting = (ofTwoRoles: string | null | undefined) =>
  ofTwoRoles ? 'DATABASE_OWNER_URL' : 'DATABASE_URL';

/**
 * Another role than the owner would find no rows: no one could sign in, all stored files would
 * count as orphans, and a backup would be empty.
 */
async function assertReachesAllRows(db: Db, setting: string): Promise<void> {
  const { rows } = await sql<{ is_limited: boolean | null }>`
    select row_security_active(to_regclass('public.users')) as is_limited`.execute(db);
  if (rows[0]?.is_limited)
    throw new ConfigRefused([
      `${setting} connects as a role that does not own the tables, so row-level security hides their rows. ` +
        'Set DATABASE_OWNER_URL to the same database as their owner.',
    ]);
}

/** Of a database, until its server starts again. */
async function identityOf(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ identity: string }>`
    select current_database() || extract(epoch from pg_postmaster_start_time()) as identity`.execute(
    db,
  );
  return rows[0]?.identity;
}

/** The one that Kysely takes, with which earlier versions wait for each other. */
const migrationLock = 3853314791062309107n;

/**
 * A migration of large tables, and the wait for that of another process, may take hours. Kysely
 * looks at all tables before it takes its lock, which fails while another process drops a column.
 * So it is taken first here, and kept until the connection closes.
 */
async function migrateUnhurried(db: Db): Promise<void> {
  await sql`set statement_timeout = 0`.execute(db);
  await sql`set lock_timeout = 0`.execute(db);
  await sql`select pg_advisory_lock(${sql.lit(migrationLock)})`.execute(db);
  await migrate(db);
}

async function assertServes(url: string, owned: string | undefined): Promise<void> {
  const { scopedDb, close } = openScoped(postgresConnector(url));
  const db = scopedDb('system');
  try {
    await assertUsable(db, 'DATABASE_URL');
    const { rows } = await sql<{ scope: string | null }>`
      select current_setting('rowmill.scope', true) as scope`.execute(db);
    // Without its scope the server's own work would find no rows.
    if (rows[0]?.scope !== 'system')
      throw new ConfigRefused([
        'The settings of connections do not reach the database of DATABASE_URL. The address must be that of PostgreSQL itself, not of a pooler, and have no ?options.',
      ]);
    if ((await identityOf(db)) !== owned)
      throw new ConfigRefused([
        'DATABASE_URL and DATABASE_OWNER_URL lead to two databases, but must name the same one.',
      ]);
  } finally {
    await close();
  }
}

/** With another encoding, searches miss letters beyond ASCII and some texts cannot be stored. */
async function assertUsable(db: Db, setting: string): Promise<void> {
  const encoding = await readEncoding(db, setting);
  if (encoding !== 'UTF8')
    throw new ConfigRefused([
      `The database of ${setting} has the encoding ${encoding}. Create it with encoding UTF8: create database … encoding 'UTF8' template template0.`,
    ]);
}

async function readEncoding(db: Db, setting: string): Promise<string | undefined> {
  try {
    const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
    return rows[0]?.server_encoding;
  } catch (error) {
    const { cause = error } = error as Error;
    const { message, code } = cause as NodeJS.ErrnoException;
    throw new StartRefused(
      `The database of ${setting} cannot be used: ${message || code}. Start it, or correct ${setting}.`,
      { cause: error },
    );
  }
}

async function openEmbedded(
  directory: string | null,
  options?: { isBlank?: boolean; statementSeconds?: number },
): Promise<OpenDatabase> {
  const lock = directory === null ? null : DataDirectoryLock.take(directory);
  try {
    const embedded = await EmbeddedDatabase.open(
      directory === null ? null : join(directory, 'database'),
      options,
    );
    const handleFor = (request?: RequestWait) =>
      new Kysely<Schema>({ dialect: embeddedDialect(embedded, request) });
    const db = handleFor();
    // Every scope reaches all rows, so a request needs one handle.
    const handles = new WeakMap<RequestWait, Db>();
    let deliver = (_payload: string) => {};
    return {
      db,
      scopedDb: (_scope, request) => {
        if (!request) return db;
        const handle = handles.get(request) ?? handleFor(request);
        handles.set(request, handle);
        return handle;
      },
      // This process is the only listener, so the notice need not go through the database.
      notify: async (_db, payload) => afterCommit(() => deliver(payload)),
      listen: async (onNotice) => {
        deliver = onNotice;
      },
      queue: { backend: 'pglite', db: queueHandle(embedded) },
      [Symbol.asyncDispose]: async () => {
        await embedded[Symbol.asyncDispose]();
        lock?.[Symbol.dispose]();
      },
    };
  } catch (error) {
    lock?.[Symbol.dispose]();
    throw error;
  }
}

/** The job queue takes turns on the one connection, never inside our transactions. */
function queueHandle(embedded: EmbeddedDatabase): QueueHandle {
  return fromPglite({
    query: (text: string, values?: unknown[]) =>
      embedded.turns.runExclusive(() => embedded.query(text, values ?? [])),
    exec: (text: string) => embedded.turns.runExclusive(() => embedded.script(text)),
    listen: (channel: string, onNotified: (payload: string) => void) =>
      embedded.listen(channel, onNotified),
  } as Parameters<typeof fromPglite>[0]);
}

/** What an operator can put right, by the codes of PostgreSQL. */
const remedies: Record<string, string> = {
  // insufficient_privilege
  '42501':
    'The role of DATABASE_OWNER_URL, or of DATABASE_URL without it, needs the right to create tables and schemas in the database.',
  // read_only_sql_transaction
  '25006': 'Name a database that can be written.',
  // duplicate_table
  '42P07': 'It has tables of another program. Name an empty database.',
  // too_many_connections
  '53300': 'Allow more connections in PostgreSQL, or stop what uses them.',
};

/** An error of the database at a start or restore as a sentence; null for any other error. */
export function refusedByDatabase(error: unknown): StartRefused | null {
  let cause = error;
  while (cause instanceof Error) {
    const remedy = 'code' in cause && remedies[String(cause.code)];
    if (remedy)
      return new StartRefused(`The database refuses: ${cause.message}. ${remedy}`, {
        cause: error,
      });
    ({ cause } = cause);
  }
  return null;
}
