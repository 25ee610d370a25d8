import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { RequestWait } from '../connection-turns.ts';
import { refuseInsideTransaction } from '../transaction.ts';
import type { EmbeddedDatabase } from './embedded-database.ts';
import type { EmbeddedSession } from './embedded-session.ts';

type Session = Pick<EmbeddedSession, 'query'>;
type OneConnection = Pick<EmbeddedDatabase, 'turns' | typeof Symbol.asyncDispose> & {
  /** A transaction stays in the session that it began in. */
  session: Session;
};

/**
 * Kysely on the embedded database. Kysely's own PGlite dialect shares the connection, so a
 * statement can run inside another caller's transaction; this one lends it to one caller at a time.
 * With `request` its statements take the turns of that request.
 */
export function embeddedDialect(database: OneConnection, request?: RequestWait): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new EmbeddedDriver(database, request),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class EmbeddedDriver implements Driver {
  readonly #database: OneConnection;
  readonly #request: RequestWait | undefined;

  constructor(database: OneConnection, request: RequestWait | undefined) {
    this.#database = database;
    this.#request = request;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<EmbeddedConnection> {
    refuseInsideTransaction();
    const release = await this.#database.turns.take(this.#request);
    const isLimited = this.#request !== undefined;
    return new EmbeddedConnection(this.#database.session, { release, isLimited });
  }

  async releaseConnection(connection: EmbeddedConnection): Promise<void> {
    connection.release();
  }

  async beginTransaction(connection: EmbeddedConnection): Promise<void> {
    connection.beginWithNext();
  }

  async commitTransaction(connection: EmbeddedConnection): Promise<void> {
    await connection.end('commit');
  }

  async rollbackTransaction(connection: EmbeddedConnection): Promise<void> {
    await connection.end('rollback');
  }

  async destroy(): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }
}

interface Lent {
  release: () => void;
  isLimited: boolean;
}

class EmbeddedConnection implements DatabaseConnection {
  readonly #session: Session;
  readonly #isLimited: boolean;
  readonly release: () => void;
  #beginsTransaction = false;

  constructor(session: Session, { release, isLimited }: Lent) {
    this.#session = session;
    this.#isLimited = isLimited;
    this.release = release;
  }

  /** A message to the thread costs more than a statement, so `begin` goes with the first one. */
  beginWithNext(): void {
    this.#beginsTransaction = true;
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (!this.#beginsTransaction) await this.executeQuery(CompiledQuery.raw(how));
    this.#beginsTransaction = false;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const beginsTransaction = this.#beginsTransaction;
    this.#beginsTransaction = false;
    const { rows, affectedRows } = await this.#session.query(sql, parameters, {
      beginsTransaction,
      isLimited: this.#isLimited,
    });
    return { rows: rows as R[], numAffectedRows: BigInt(affectedRows) };
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The embedded database cannot stream results. Read them in pages.');
  }
}
