import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { monotonicNow } from '../lib/clock.ts';
import { ServiceUnavailable } from '../lib/unavailable.ts';
import type { Schema } from './schema.ts';

/** A store's database handle: the open database or a transaction on it. */
export type Db = Kysely<Schema>;

interface OpenTransaction {
  isOpen: boolean;
  afterCommit: (() => void)[];
}

const current = new AsyncLocalStorage<OpenTransaction>();

/**
 * Runs work in one transaction and joins a transaction that is already open. On the embedded database the outer handle
 * would deadlock inside a transaction, so using it there throws at once, on every database.
 */
export async function inTransaction<C extends { db: Db }, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx);
  const transaction: OpenTransaction = { isOpen: true, afterCommit: [] };
  const result = await ctx.db.transaction().execute((db: Transaction<Schema>) =>
    current.run(transaction, () =>
      work({ ...ctx, db }).finally(() => {
        transaction.isOpen = false;
      }),
    ),
  );
  for (const act of transaction.afterCommit) act();
  return result;
}

const repeats = { forMilliseconds: 60_000, everyMilliseconds: 1_000 };

/**
 * For what was paid for at the provider: repeats the transaction while the database cannot be reached. It may have been
 * committed before its connection broke, so the work must not store or charge anything twice.
 */
export async function inPersistentTransaction<C extends { db: Db }, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  // A part of a transaction ends with it.
  if (ctx.db.isTransaction) return work(ctx);
  const end = monotonicNow() + repeats.forMilliseconds;
  for (;;) {
    try {
      return await inTransaction(ctx, work);
    } catch (error) {
      if (!(error instanceof ServiceUnavailable) || monotonicNow() > end) throw error;
      await setTimeout(repeats.everyMilliseconds);
    }
  }
}

/** Runs after the commit of the open transaction and never after a rollback; without a transaction it runs now. */
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
