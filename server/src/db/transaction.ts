import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { monotonicNow } from '../lib/clock.ts';
import { ServiceUnavailable } from '../lib/unavailable.ts';
import type { Schema } from './schema.ts';

/** A store's database handle: the open database or a transaction on it. */
export type Db = Kysely<Schema>;

interface OpenTransaction {
  isOpen: boolean;
  /** See `confirmBy`. */
  isStored?: (db: Db) => Promise<boolean>;
  undo?: () => void;
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
    const isUnknown = done && error instanceof ServiceUnavailable;
    if (!isUnknown || !(await isConfirmed(ctx.db, transaction))) throw error;
  }
  return complete(ctx, transaction, (done as { result: T }).result);
}

async function isConfirmed(db: Db, { isStored, undo }: OpenTransaction): Promise<boolean> {
  try {
    if (await isStored?.(db)) return true;
  } catch {
    // It cannot be reached.
  }
  undo?.();
  return false;
}

/**
 * Tells the outcome when the answer to the commit is lost. The number of the transaction cannot:
 * after a crash PostgreSQL gives it to another one. `undo`: its request fails, though it may be
 * committed.
 */
export function confirmBy(isStored: (db: Db) => Promise<boolean>, undo?: () => void): void {
  const transaction = current.getStore();
  if (transaction) Object.assign(transaction, { isStored, undo });
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
 * be reached. Its receipt tells whether it was committed when the reply to the commit was lost.
 */
export async function inPersistentTransaction<C extends WithDb, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  // A part of a transaction ends with it.
  if (ctx.db.isTransaction) return work(ctx);
  const end = monotonicNow() + repeats.forMilliseconds;
  const receipt = randomUUID();
  let last = undefined as { result: T; afterCommit: (() => void)[] } | undefined;
  for (;;) {
    try {
      return await inTransaction(ctx, async (ctx) => {
        const { afterCommit } = current.getStore() as OpenTransaction;
        const isFirst = await insertReceipt(ctx.db, receipt);
        if (last && !isFirst) {
          afterCommit.push(...last.afterCommit);
          return last.result;
        }
        const result = await work(ctx);
        last = { result, afterCommit };
        return result;
      });
    } catch (error) {
      if (!(error instanceof ServiceUnavailable) || monotonicNow() > end) throw error;
      await setTimeout(repeats.everyMilliseconds);
    }
  }
}

/**
 * For reservations: they are returned when the request failed because the answer to the commit was
 * lost and the database could not be reached. `undo` needs a transaction.
 */
export async function inTransactionOrUndone<C extends WithDb, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
  undo: (ctx: C, result: T) => Promise<unknown>,
): Promise<T> {
  const receipt = randomUUID();
  return inTransaction(ctx, async (inside) => {
    await insertReceipt(inside.db, receipt);
    const result = await work(inside);
    const undoIfCommitted = async (ctx: C) => {
      if (!(await insertReceipt(ctx.db, receipt))) await undo(ctx, result);
    };
    confirmBy(
      (db) => hasReceipt(db, receipt),
      () => void inPersistentTransaction(ctx, undoIfCommitted).catch(() => {}),
    );
    return result;
  });
}

async function hasReceipt(db: Db, id: string): Promise<boolean> {
  const found = db.selectFrom('transaction_receipts').select('id').where('id', '=', id);
  return (await found.executeTakeFirst()) !== undefined;
}

/** False when it exists. Waits while another transaction has it uncommitted. */
async function insertReceipt(db: Db, id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('transaction_receipts')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
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
