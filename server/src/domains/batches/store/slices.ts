import { sql } from 'kysely';
import { isOneOf } from '../../../db/lists.ts';
import type { Db } from '../../../db/transaction.ts';

export interface SliceKey {
  batchId: string;
  first: number;
}

export async function insertSlices(
  db: Db,
  batchId: string,
  slices: { first: number; count: number }[],
): Promise<void> {
  const rows = slices.map((slice) => ({ batch_id: batchId, ...slice, state: 'queued' as const }));
  await db.insertInto('slices').values(rows).execute();
}

export async function findSlice(db: Db, { batchId, first }: SliceKey) {
  return db
    .selectFrom('slices')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('first', '=', first)
    .executeTakeFirst();
}

export async function moveSlices(
  db: Db,
  batchId: string,
  {
    firsts,
    from,
    to,
  }: { firsts: readonly number[]; from: 'idle' | 'queued'; to: 'idle' | 'queued' },
): Promise<void> {
  if (firsts.length === 0) return;
  await db
    .updateTable('slices')
    .set({ state: to })
    .where('batch_id', '=', batchId)
    .where('first', 'in', firsts)
    .where('state', '=', from)
    .execute();
}

export async function releaseSlice(
  db: Db,
  { batchId, first, state }: SliceKey & { state: 'idle' | 'done' },
): Promise<void> {
  await db
    .updateTable('slices')
    .set({ state, quarantined_rows: null })
    .where('batch_id', '=', batchId)
    .where('first', '=', first)
    .where('state', '<>', 'done')
    .execute();
}

export async function listQueuedSlices(db: Db, batchId: string) {
  return db
    .selectFrom('slices')
    .select(['first', 'count'])
    .where('batch_id', '=', batchId)
    .where('state', '=', 'queued')
    .execute();
}

/** The queued ones, then the first idle ones. */
export async function listOpenSlices(db: Db, batchId: string, idleAtMost: number) {
  const slices = db.selectFrom('slices').select(['first', 'state']).where('batch_id', '=', batchId);
  const idle = slices.where('state', '=', 'idle').orderBy('first').limit(idleAtMost);
  return slices
    .where('state', '=', 'queued')
    .unionAll(({ parens }) => parens(idle))
    .execute();
}

export async function deleteSlices(db: Db, batchIds: readonly string[]): Promise<void> {
  await db.deleteFrom('slices').where(isOneOf('batch_id', batchIds)).execute();
}

interface SliceRange {
  batchId: string;
  first: number;
  end: number;
}

/** Where the last slice that starts in a range ends; null if none does. */
export async function findSliceEnd(
  db: Db,
  { batchId, first, end }: SliceRange,
): Promise<number | null> {
  const { last } = await db
    .selectFrom('slices')
    .select(sql<number | null>`max(first + count)`.as('last'))
    .where('batch_id', '=', batchId)
    .where('first', '>=', first)
    .where('first', '<', end)
    .executeTakeFirstOrThrow();
  return last;
}

/**
 * Makes slices with failed rows idle again, for batches without a selection, which slice the rows
 * of the sheet. Rows that failed after too many crashes get one more attempt. The limit makes
 * PostgreSQL use the index for each slice: of a batch that is newer than the statistics it expects
 * a single failed row, and compared each slice with all 300,000, for 19 s.
 */
export async function reopenFailedSlices(
  db: Db,
  { batchId, first, end, crashCountsAtMost }: SliceRange & { crashCountsAtMost: number },
): Promise<void> {
  await sql`
    update slices set state = 'idle', row_crash_counts = (
      select coalesce(jsonb_object_agg(name, least(times::integer, ${crashCountsAtMost}::integer)), '{}')
      from jsonb_each_text(row_crash_counts) as each (name, times))
    where batch_id = ${batchId} and first >= ${first} and first < ${end} and (
      select true from results where results.batch_id = slices.batch_id and results.state = 'failed'
        and results.row >= slices.first and results.row < slices.first + slices.count limit 1)`.execute(
    db,
  );
}

interface Raise {
  queue: string;
  from: number;
  to: number;
  batches: number;
}

/**
 * Raises unleased slices from this priority, if theirs are the first running batches of client and
 * model. They queue behind those that others have queued by now. Slices that are just being leased
 * are left out.
 */
export async function raiseSlices(db: Db, { queue, from, to, batches }: Raise): Promise<void> {
  const waiting = sql`name = ${queue} and state < 'active' and not blocked and priority = ${from}`;
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, row_number() over (partition by user_id, model order by by_deadline > 1, id) as place
      from (
        select id, user_id, model,
          row_number() over (partition by user_id, model order by finish_by, id) as by_deadline
        from batches where state = 'running' and exists (select from jobs.job where ${waiting})
      ) running
    ) ordered where place <= ${batches}`.execute(db);
  if (rows.length === 0) return;
  await sql`
    update jobs.job set priority = ${to}::integer, created_on = jobs.job_now()
    where name = ${queue} and id in (
      select id from jobs.job where ${waiting} and data->>'batch_id' = any(${idsOf(rows)}::text[])
      for update skip locked)`.execute(db);
}

interface SliceRaise {
  queue: string;
  /** Slices with a lower priority wait for other batches of their client. */
  from: number;
  to: number;
  exceptOf: readonly string[];
  groups: readonly string[];
}

/** Raises the next unleased slice of these groups and of other people than these. */
export async function raiseSlice(
  db: Db,
  { queue, from, to, exceptOf, groups }: SliceRaise,
): Promise<boolean> {
  const { rows } = await sql`
    update jobs.job set priority = ${to}::integer where name = ${queue} and id in (
      select job.id from jobs.job join batches on batches.id = job.data->>'batch_id'
      where job.name = ${queue} and job.state < 'active' and not job.blocked
        and job.priority between ${from} and ${to} and job.group_id = any(${groups}::text[])
        and batches.user_id <> all(${exceptOf}::text[])
      order by job.priority desc, job.created_on, job.id limit 1 for update of job skip locked)
    returning id`.execute(db);
  return rows.length > 0;
}

interface LateSlices {
  queue: string;
  priority: number;
  exceptOf: readonly string[];
  ignoreGroups: readonly string[];
}

/** Whether later slices of other batches than these are queued, in other groups than these. */
export async function hasLateSlices(
  db: Db,
  { queue, priority, exceptOf, ignoreGroups }: LateSlices,
): Promise<boolean> {
  const { rows } = await sql`
    select from jobs.job where name = ${queue} and state < 'active' and not blocked
      and priority = ${priority} and group_id <> all(${ignoreGroups}::text[])
      and data->>'batch_id' <> all(${exceptOf}::text[]) limit 1`.execute(db);
  return rows.length > 0;
}

/** As a list, which PostgreSQL hashes: a join would read all slices again for each batch. */
const idsOf = (batches: readonly { id: string }[]) => batches.map(({ id }) => id);

export async function releaseQueuedSlices(db: Db): Promise<void> {
  await db.updateTable('slices').set({ state: 'idle' }).where('state', '=', 'queued').execute();
}

/** For slices of an ended process: counts a crash for each slice and its quarantined rows. */
export async function countCrashes(db: Db, slices: readonly SliceKey[]): Promise<void> {
  const leased = JSON.stringify(slices.map(({ batchId, first }) => ({ batch_id: batchId, first })));
  await sql`
    update slices set crash_count = crash_count + 1, quarantined_rows = null, row_crash_counts = row_crash_counts || (
      select coalesce(jsonb_object_agg(name, coalesce((row_crash_counts ->> name)::integer, 0) + 1), '{}')
      from jsonb_array_elements_text(coalesce(quarantined_rows, '[]')) as name)
    from jsonb_to_recordset(${leased}::text::jsonb) as leased (batch_id text, first integer)
    where slices.batch_id = leased.batch_id and slices.first = leased.first`.execute(db);
}

/** Before the rows of a suspected slice are sent: a crash now counts against them. */
export async function saveQuarantinedRows(
  db: Db,
  { batchId, first, rows }: SliceKey & { rows: readonly number[] },
): Promise<void> {
  await db
    .updateTable('slices')
    .set({ quarantined_rows: JSON.stringify(rows) })
    .where('batch_id', '=', batchId)
    .where('first', '=', first)
    .execute();
}
