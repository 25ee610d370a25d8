import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from './schema.ts';
import type { Scope, ScopedDb } from './scope.ts';

const bigintType = 20;
const poolSize = 10;

/** With row security, the settings that the policies read (see the migration 0010) follow the scope of the handle. */
interface Settings {
  subject: string;
  actor: string;
  clientsOf: string;
}

const nobody: Settings = { subject: '', actor: '', clientsOf: '' };

/** Handles that all reach everything: the role that connects owns the tables, or row security is not wanted. */
export function openPlain(connectionString: string): {
  scopedDb: ScopedDb;
  close: () => Promise<void>;
} {
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: openPool(connectionString) }),
  });
  return { scopedDb: () => db, close: () => db.destroy() };
}

/**
 * Handles that reach what their scope allows. The server's own work has connections of its own, which are born with that
 * right and never lent to a person; those of persons are told for whom they work whenever that changes.
 */
export function openScoped(connectionString: string): {
  scopedDb: ScopedDb;
  close: () => Promise<void>;
} {
  const own = openPool(connectionString, { options: '-c rowmill.scope=system' });
  const system = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: own }) });
  const lent = openPool(connectionString);
  return {
    scopedDb: (scope) => (scope === 'system' ? system : handleFor(lent, settingsOf(scope))),
    close: async () => {
      await Promise.all([system.destroy(), lent.end()]);
    },
  };
}

function settingsOf(scope: Exclude<Scope, 'system'>): Settings {
  if (scope === 'nobody') return nobody;
  const { subjectId, actorId, withClients } = scope;
  return { subject: subjectId, actor: actorId, clientsOf: withClients ? actorId : '' };
}

/** A handle is a few objects around the pool: cheap enough for every request to have its own. */
function handleFor(pool: pg.Pool, settings: Settings): Kysely<Schema> {
  const connect = async () => {
    const client = await pool.connect();
    try {
      await tell(client, settings);
      return client;
    } catch (error) {
      // Whose rows it would reach is not known.
      client.release(true);
      throw error;
    }
  };
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: { connect, end: async () => {} } as unknown as pg.Pool }),
  });
}

/** What each connection was told last, so that it is not told again. */
const told = new WeakMap<pg.PoolClient, Settings>();

async function tell(client: pg.PoolClient, settings: Settings): Promise<void> {
  const { subject, actor, clientsOf } = settings;
  const last = told.get(client) ?? nobody;
  if (last.subject === subject && last.actor === actor && last.clientsOf === clientsOf) return;
  await client.query(
    `select set_config('rowmill.subject', $1, false), set_config('rowmill.actor', $2, false), set_config('rowmill.clients_of', $3, false)`,
    [subject, actor, clientsOf],
  );
  told.set(client, settings);
}

function openPool(connectionString: string, more: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    // A full pool answers "busy" instead of queueing without bound.
    connectionTimeoutMillis: 2_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      getTypeParser: (oid, format) =>
        oid === bigintType ? Number : pg.types.getTypeParser(oid, format),
    },
    ...more,
  });
  // An idle connection that the server closes is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});
  return pool;
}
