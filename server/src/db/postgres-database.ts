import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { ServiceUnavailable } from '../lib/unavailable.ts';
import { ConnectionTurns, type RequestWait } from './connection-turns.ts';
import { lockTimeoutMilliseconds, type PostgresConnector } from './postgres-client.ts';
import type { Schema } from './schema.ts';
import type { Scope, ScopedDb } from './scope.ts';

const bigintType = 20;
const poolSize = 10;
/** A request gets 503 after this, jobs and the engine try again. */
const waitMilliseconds = 2_000;

interface PostgresDatabase {
  scopedDb: ScopedDb;
  close: () => Promise<void>;
}

/** Every handle reaches all rows: the role owns the tables, or row-level security is not wanted. */
export function openPlain(connector: PostgresConnector, more?: pg.PoolConfig): PostgresDatabase {
  const pool = openPool(connector, more);
  const db = openKysely(pool);
  return {
    scopedDb: (_scope, request) => (request ? openKysely(pool, { request }) : db),
    close: () => pool.connections.end(),
  };
}

/**
 * Each handle reaches the rows of its scope. The server's own work has a pool with system scope,
 * which never serves a person; connections of the other pool take the scope of the handle.
 */
export function openScoped(connector: PostgresConnector): PostgresDatabase {
  const system = openPool(connector, {
    options: `${connector.options} -c rowmill.scope=system`,
  });
  const systemDb = openKysely(system);
  const shared = openPool(connector);
  return {
    scopedDb: (scope, request) => {
      if (scope !== 'system') return openKysely(shared, { settings: settingsOf(scope), request });
      return request ? openKysely(system, { request }) : systemDb;
    },
    close: async () => {
      await Promise.all([system.connections.end(), shared.connections.end()]);
    },
  };
}

/** The settings that the policies read; see migration 0010. */
interface Settings {
  subject: string;
  actor: string;
  clientsOf: string;
}

const noSettings: Settings = { subject: '', actor: '', clientsOf: '' };

function settingsOf(scope: Exclude<Scope, 'system'>): Settings {
  if (scope === 'anonymous') return noSettings;
  const { subjectId, actorId, withClients } = scope;
  return { subject: subjectId, actor: actorId, clientsOf: withClients ? actorId : '' };
}

interface Pool {
  connections: pg.Pool;
  /** What each connection was set to, so that settings are only sent when they change. */
  applied: WeakMap<pg.PoolClient, Settings>;
  turns: ConnectionTurns;
}

interface HandleOptions {
  settings?: Settings;
  request?: RequestWait;
}

/** A handle is a few objects around the pool, cheap enough for each request. */
function openKysely(pool: Pool, { settings, request }: HandleOptions = {}): Kysely<Schema> {
  const connect = async () => {
    const client = await connectInTurn(pool, request);
    try {
      if (settings) await applySettings(pool, client, settings);
      return client;
    } catch (error) {
      // Its scope is unknown now, so the connection is closed instead of returned to the pool.
      client.release(true);
      throw error;
    }
  };
  const end = async () => {};
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: { connect, end } as unknown as pg.Pool }),
  });
}

/** The turn ends with the release. The pool needs no queue: it has a connection per turn. */
async function connectInTurn(
  { connections, turns }: Pool,
  request: RequestWait | undefined,
): Promise<pg.PoolClient> {
  const endTurn = await turns.take(request);
  try {
    const client = await connections.connect();
    const release = client.release;
    client.release = (error) => {
      release.call(client, error);
      endTurn();
    };
    return client;
  } catch (error) {
    endTurn();
    return throwAsUnavailable(error as Error);
  }
}

async function applySettings(
  { applied }: Pool,
  client: pg.PoolClient,
  settings: Settings,
): Promise<void> {
  const { subject, actor, clientsOf } = settings;
  const last = applied.get(client) ?? noSettings;
  if (last.subject === subject && last.actor === actor && last.clientsOf === clientsOf) return;
  await client.query(
    `select set_config('rowmill.subject', $1, false), set_config('rowmill.actor', $2, false), set_config('rowmill.clients_of', $3, false)`,
    [subject, actor, clientsOf],
  );
  applied.set(client, settings);
}

function openPool(connector: PostgresConnector, more?: pg.PoolConfig): Pool {
  const pool = new pg.Pool({
    ...connector,
    max: poolSize,
    lock_timeout: lockTimeoutMilliseconds,
    types: {
      getTypeParser: (oid, format) =>
        oid === bigintType ? Number : pg.types.getTypeParser(oid, format),
    },
    ...more,
  });
  // Replaces an idle connection that the server closed. An error without listener ends the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // The pool listens to idle clients only, but a leased one emits errors too.
    client.on('error', () => {});
    const query = client.query.bind(client) as (...statement: unknown[]) => Promise<unknown>;
    client.query = ((...statement: unknown[]) =>
      query(...statement).catch((error: Error & { code?: string }) => {
        // The pool drops a destroyed connection. The answer of a timed-out query may still arrive,
        // and instead of a server that became read-only another may be found.
        const { message, code } = error;
        if (message === 'Query read timeout' || code === readOnlyCode)
          client.connection.stream.destroy();
        return throwAsUnavailable(error);
      })) as typeof client.query;
  });
  const turns = new ConnectionTurns({ connections: poolSize, waitMilliseconds });
  return { connections: pool, applied: new WeakMap(), turns };
}

/** A former primary, or a server that was made read-only because its disk is nearly full. */
const readOnlyCode = '25006';
/**
 * Errors that a later attempt may not meet: Node's for a broken connection, PostgreSQL's for a busy
 * server, a long statement (57014), a held lock (55P03), a deadlock (40P01), an idle transaction
 * (25P03) and a read-only server.
 */
const temporaryCodes = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ERR_STREAM_DESTROYED',
    // No file descriptor is left.
    'EMFILE',
    'ENFILE',
  ],
  ...[
    '57P01',
    '57P02',
    '57P03',
    '57014',
    '55P03',
    '40P01',
    '25P03',
    readOnlyCode,
    '53300',
    '08000',
    '08001',
    '08003',
    '08006',
    '08P01',
  ],
]);
/** The driver gives these errors no code. */
const temporaryMessages =
  /^timeout (?:expired|exceeded when trying to connect)|^Connection terminated|^Client has encountered a connection error|^Client was closed|^Query read timeout/;

function throwAsUnavailable(error: Error & { code?: string }): never {
  if (temporaryCodes.has(error.code ?? '') || temporaryMessages.test(error.message))
    throw new ServiceUnavailable(`The database cannot be reached: ${error.message}`, {
      cause: error,
    });
  throw error;
}
