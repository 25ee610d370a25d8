import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** The handle that a store is given: the open database or a transaction on it. */
export type Db = Kysely<Schema>;

const current = new AsyncLocalStorage<{ open: boolean }>();

/**
 * Runs work in one transaction; inside another it joins it. On the embedded database the outer handle inside a
 * transaction would wait for itself for ever, so its use there fails at once on every database.
 */
export async function inTransaction<C extends { db: Db }, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx);
  return ctx.db.transaction().execute((db: Transaction<Schema>) => {
    const marker = { open: true };
    return current.run(marker, () =>
      work({ ...ctx, db }).finally(() => {
        marker.open = false;
      }),
    );
  });
}

export function refuseInsideTransaction(): void {
  if (current.getStore()?.open) {
    throw new Error('A statement used the outer database handle inside a transaction. Pass on the db that was handed in.');
  }
}
