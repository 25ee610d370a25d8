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
import type { EmbeddedDatabase } from './embedded-database.ts';
import { refuseInsideTransaction } from './transaction.ts';

type OneConnection = Pick<EmbeddedDatabase, 'turns' | 'query' | typeof Symbol.asyncDispose>;

/**
 * Kysely on the embedded database. Its own PGlite dialect hands the one connection to everybody at once, so that a
 * statement from outside runs inside somebody else's transaction; this one gives it to one at a time.
 */
export function embeddedDialect(database: OneConnection): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new EmbeddedDriver(database),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class EmbeddedDriver implements Driver {
  readonly #database: OneConnection;

  constructor(database: OneConnection) {
    this.#database = database;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<EmbeddedConnection> {
    refuseInsideTransaction();
    return new EmbeddedConnection(this.#database, await this.#database.turns.acquire());
  }

  async releaseConnection(connection: EmbeddedConnection): Promise<void> {
    connection.leave();
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

class EmbeddedConnection implements DatabaseConnection {
  readonly #database: OneConnection;
  readonly leave: () => void;
  #beginsWithNext = false;

  constructor(database: OneConnection, leave: () => void) {
    this.#database = database;
    this.leave = leave;
  }

  /** The way to the database's thread costs more than a statement, so a transaction begins with its first one. */
  beginWithNext(): void {
    this.#beginsWithNext = true;
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (!this.#beginsWithNext) await this.executeQuery(CompiledQuery.raw(how));
    this.#beginsWithNext = false;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const begins = this.#beginsWithNext;
    this.#beginsWithNext = false;
    const { rows, affectedRows } = await this.#database.query(sql, parameters, { begins });
    return { rows: rows as R[], numAffectedRows: BigInt(affectedRows) };
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator, and this database cannot stream
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The embedded database answers whole results only; page through them instead.');
  }
}
