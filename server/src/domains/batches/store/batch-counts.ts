import { type BatchState, batchStates } from '@rowmill/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';

export type BatchCounts = Record<BatchState, number>;

/** How many batches the person has in each state, without deleted ones. */
export async function readCounts(db: Db, userId: string): Promise<BatchCounts> {
  const sums = await db
    .selectFrom('batch_counts')
    .select(['state', sql<number>`sum(count)::int4`.as('count')])
    .where('user_id', '=', userId)
    .groupBy('state')
    .execute();
  return allCounts(Object.fromEntries(sums.map(({ state, count }) => [state, count])));
}

/** With 0 for states that no batch has. */
export function allCounts(counts: Partial<BatchCounts>): BatchCounts {
  return Object.fromEntries(batchStates.map((state) => [state, counts[state] ?? 0])) as BatchCounts;
}

/** Replaces the parts of the counts by their sums, except those locked by another merge. */
export async function mergeCounts(db: Db, userId: string): Promise<void> {
  await sql`
    with merged as (
      delete from batch_counts where ctid = any (array(
        select ctid from batch_counts where user_id = ${userId} for update skip locked))
      returning state, count
    )
    insert into batch_counts (user_id, state, count)
    select ${userId}, state, sum(count) from merged group by state having sum(count) <> 0`.execute(
    db,
  );
}
