import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** The handle that a store is given: the open database or a transaction on it. */
export type Db = Kysely<Schema>;

interface Marker {
  open: boolean;
  /** What is done when the transaction is committed, and not when it is rolled back. */
  afterwards: (() => void)[];
}

const current = new AsyncLocalStorage<Marker>();

/**
 * Runs work in one transaction; inside another it joins it. On the embedded database the outer handle inside a
 * transaction would wait for itself for ever, so its use there fails at once on every database.
 */
export async function inTransaction<C extends { db: Db }, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx);
  const marker: Marker = { open: true, afterwards: [] };
  const result = await ctx.db.transaction().execute((db: Transaction<Schema>) =>
    current.run(marker, () =>
      work({ ...ctx, db }).finally(() => {
        marker.open = false;
      }),
    ),
  );
  for (const act of marker.afterwards) act();
  return result;
}

/** Inside a transaction: when it is committed. Outside of one: now. */
export function afterCommit(act: () => void): void {
  const marker = current.getStore();
  if (marker?.open) marker.afterwards.push(act);
  else act();
}

export function refuseInsideTransaction(): void {
  if (current.getStore()?.open) {
    throw new Error(
      'A statement used the outer database handle inside a transaction. Pass on the db that was handed in.',
    );
  }
}
