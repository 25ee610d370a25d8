import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/** How long the statements of one request may wait for connections, all together. */
const budgetMilliseconds = 2_000;

interface Budget {
  leftMilliseconds: number;
}

const current = new AsyncLocalStorage<Budget>();

const budgets = new WeakMap<object, Budget>();

/**
 * All work for one request shares one budget, so a crowd gets 503 after 2 s in all and not after 2 s per statement. Not for
 * streams, which read on for hours.
 */
export function withPoolBudget<T>(request: object, work: () => T): T {
  const budget = budgets.get(request) ?? { leftMilliseconds: budgetMilliseconds };
  budgets.set(request, budget);
  return current.run(budget, work);
}

/** Leases a connection. Without a budget (jobs, the engine, a stream's later reads) only the pool's own limit applies. */
export async function leaseWithinBudget(pool: pg.Pool): Promise<pg.PoolClient> {
  const budget = current.getStore();
  if (!budget) return pool.connect();
  const askedAt = performance.now();
  const leased = pool.connect();
  const timer = Promise.withResolvers<null>();
  const timeout = setTimeout(() => timer.resolve(null), budget.leftMilliseconds);
  try {
    const client = await Promise.race([leased, timer.promise]);
    if (client) return client;
    leased.then((late) => late.release()).catch(() => {});
    throw new Error('timeout exceeded when trying to connect');
  } finally {
    clearTimeout(timeout);
    budget.leftMilliseconds = Math.max(0, budget.leftMilliseconds - (performance.now() - askedAt));
  }
}
