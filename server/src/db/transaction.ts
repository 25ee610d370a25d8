import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { monotonicNow } from '../lib/clock.ts';
import { ServiceUnavailable } from '../lib/unavailable.ts';
import type { Schema } from './schema.ts';

/** A store's database handle: the open database or a transaction on it. */
export type Db = Kysely<Schema>;

interface OpenTransaction {
  isOpen: boolean;
  /** PostgreSQL's number of it, if `noteTransactionId` was called. */
  id?: string;
  afterCommit: (() => void)[];
}

const current = new AsyncLocalStorage<OpenTransaction>();

/**
 * Runs work in one transaction, or in the open one. The outer handle inside a transaction would
 * deadlock on the embedded database, so it throws on every database.
 */
export async function inTransaction<C extends WithDb, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx);
  const transaction: OpenTransaction = { isOpen: true, afterCommit: [] };
  let done: { result: T } | undefined;
  try {
    await ctx.db.transaction().execute((db: Transaction<Schema>) =>
      current.run(transaction, async () => {
        done = { result: await work({ ...ctx, db }) };
        transaction.isOpen = false;
      }),
    );
  } catch (error) {
    transaction.isOpen = false;
    // All work was done, so this was the commit, or its answer.
    const id = done && error instanceof ServiceUnavailable ? transaction.id : undefined;
    if (!id || !(await isCommitted(ctx.db, id))) throw error;
  }
  return complete(ctx, transaction, (done as { result: T }).result);
}

/** For the database to tell the outcome when the answer to the commit is lost. */
export function noteTransactionId(id: string): void {
  const transaction = current.getStore();
  if (transaction) transaction.id = id;
}

interface WithDb {
  db: Db;
  /** Called after each commit. */
  onCommit?: () => void;
}

function complete<T>({ onCommit }: WithDb, { afterCommit }: OpenTransaction, result: T): T {
  onCommit?.();
  for (const act of afterCommit) act();
  return result;
}

const repeats = { forMilliseconds: 60_000, everyMilliseconds: 1_000 };

/**
 * For results that the provider has charged for: repeats the transaction while the database cannot
 * be reached. When the answer to a commit is lost, it asks for the outcome.
 */
export async function inPersistentTransaction<C extends WithDb, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  // A part of a transaction ends with it.
  if (ctx.db.isTransaction) return work(ctx);
  const end = monotonicNow() + repeats.forMilliseconds;
  let last = undefined as { id: string; transaction: OpenTransaction; result: T } | undefined;
  for (;;) {
    try {
      if (last && (await isCommitted(ctx.db, last.id)))
        return complete(ctx, last.transaction, last.result);
      return await inTransaction(ctx, async (ctx) => {
        const result = await work(ctx);
        const transaction = current.getStore() as OpenTransaction;
        last = { id: await idOfTransaction(ctx.db), transaction, result };
        return result;
      });
    } catch (error) {
      if (!(error instanceof ServiceUnavailable) || monotonicNow() > end) throw error;
      await setTimeout(repeats.everyMilliseconds);
    }
  }
}

async function idOfTransaction(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db);
  return (rows[0] as { id: string }).id;
}

async function isCommitted(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ status: string | null }>`
    select pg_xact_status(${id}::xid8) as status`.execute(db);
  const status = rows[0]?.status;
  if (status === 'in progress') throw new ServiceUnavailable('The transaction has not ended yet.');
  return status === 'committed';
}

/** Runs after the commit, and not after a rollback; without a transaction it runs now. */
export function afterCommit(act: () => void): void {
  const transaction = current.getStore();
  if (transaction?.isOpen) transaction.afterCommit.push(act);
  else act();
}

export function refuseInsideTransaction(): void {
  if (current.getStore()?.isOpen) {
    throw new Error(
      'A statement used the outer database handle inside a transaction. Pass on the db that was handed in.',
    );
  }
}
