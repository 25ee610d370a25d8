import type { PauseReason } from '@rowmill/contract';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { isOneOf } from '../../../db/lists.ts';
import type { BatchTable } from '../../../db/schema.ts';
import type { Db } from '../../../db/transaction.ts';
import { mergeCounts } from './batch-counts.ts';

export type BatchRow = Selectable<BatchTable>;

/** Rows with a result. */
export function doneRows({ answered, failed, skipped }: BatchRow): number {
  return answered + failed + skipped;
}

export function openRows(batch: BatchRow): number {
  return batch.rows - doneRows(batch);
}

/** Without those that are known to cost nothing. */
export function rowsToReserve(batch: BatchRow): number {
  return Math.max(0, openRows(batch) - freeRows(batch));
}

/** A batch that an earlier version started knows only those at its end. */
function freeRows({ open_free_rows: free, is_partial, free_rows_at_end }: BatchRow): number {
  return free ?? (is_partial ? free_rows_at_end : 0);
}

/** What the open rows need besides the reservation, at their highest price. */
export function submissionsNeeded(batch: BatchRow): number {
  const needed = Math.max(0, rowsToReserve(batch) * batch.price - batch.reserved);
  if (needed > 0 || !isUsedUp(batch) || batch.open_free_rows === null) return needed;
  // The open rows only seem to cost nothing: PROMPT_MAX_KB was raised, so that some are no longer
  // too long. Or they are followed by rows that were tried just as the batch started.
  return submissionsNeeded({ ...batch, open_free_rows: null });
}

/** A batch started with too few submissions may use them up, also while its owner paused it. */
export function isUsedUp({ state, pause_reason, is_partial, reserved, price }: BatchRow): boolean {
  const isEmpty = is_partial && reserved < price;
  return state === 'paused' && (pause_reason === 'needs_credits' || isEmpty);
}

/** Failed rows that a retry is about to clear have a result, but are not done. */
export function isComplete(batch: BatchRow): boolean {
  return openRows(batch) === 0 && batch.retry_position === null;
}

interface Owned {
  id: string;
  userId: string;
}

export async function insertBatch(db: Db, batch: Insertable<BatchTable>): Promise<BatchRow> {
  const row = await db.insertInto('batches').values(batch).returningAll().executeTakeFirstOrThrow();
  await mergeCounts(db, row.user_id);
  return row;
}

/** The statement checks the owner, so a batch of another person looks like a missing one. */
export async function findBatch(db: Db, { id, userId }: Owned) {
  return ownBatches(db, userId).where('id', '=', id).executeTakeFirst();
}

/**
 * Held while a batch changes its state. All locks are `for no key update`: the stronger `for
 * update` also waits for inserts that reference the record, and can then deadlock.
 */
export async function lockOwnBatch(db: Db, { id, userId }: Owned) {
  return ownBatches(db, userId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

function batchById(db: Db, id: string) {
  return db.selectFrom('batches').selectAll().where('id', '=', id);
}

export async function lockBatch(db: Db, id: string) {
  return batchById(db, id).forNoKeyUpdate().executeTakeFirst();
}

export async function findBatchById(db: Db, id: string) {
  return batchById(db, id).executeTakeFirst();
}

interface ReadyBatch {
  userId: string;
  fingerprint: string;
  price: { submissions: number; size: { tokens: number } | null };
  finishBy: Date | null;
}

export async function findReadyBatch(db: Db, { userId, fingerprint, price, finishBy }: ReadyBatch) {
  const { submissions, size } = price;
  return (
    ownBatches(db, userId)
      .where('fingerprint', '=', fingerprint)
      .where('state', '=', 'ready')
      // Its rows keep the price that they had when it was created.
      .where(size ? 'unit_price' : 'price', '=', submissions)
      .where('price_tokens', 'is not distinct from', size?.tokens ?? null)
      .where('finish_by', finishBy ? 'is not' : 'is', null)
      .orderBy('created_at', 'desc')
      .limit(1)
      .forNoKeyUpdate()
      .executeTakeFirst()
  );
}

export async function findBatchByStartKey(
  db: Db,
  { userId, startKey }: { userId: string; startKey: string },
) {
  return db
    .selectFrom('batches')
    .selectAll()
    .where('user_id', '=', userId)
    .where('start_key', '=', startKey)
    .executeTakeFirst();
}

export async function updateBatch(db: Db, id: string, changes: Updateable<BatchTable>) {
  return db
    .updateTable('batches')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function stopBatches(db: Db, ids: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('batches')
    .set({ state: 'stopped', pause_reason: null, ended_at: now })
    .where(isOneOf('id', ids))
    .execute();
}

/** Removes everything of these batches but their counts and what they cost. */
export async function markDeleted(db: Db, ids: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('batches')
    .set({
      name: '',
      question: '',
      variables: '{}',
      options: '{"outputs":[]}',
      selected_rows: null,
      pause_detail: null,
      deleted_at: now,
    })
    .where(isOneOf('id', ids))
    .execute();
}

/** Answered and failed rows and single prompts of a person, deleted batches included. */
export async function readAnswerCounts(db: Db, userId: string) {
  const { rows } = await sql<{ answered: number; failed: number }>`
    select coalesce(sum(answered), 0)::bigint as answered, coalesce(sum(failed), 0)::bigint as failed from (
      select answered, failed from answer_counts where user_id = ${userId}
      union all
      select answered, failed from batches where user_id = ${userId} and state = 'running'
    ) counts`.execute(db);
  return rows[0] ?? { answered: 0, failed: 0 };
}

/**
 * The first running batches of a client and model: the one with the next deadline, which it could
 * miss behind others, and the oldest.
 */
export async function listFirstRunning(
  db: Db,
  { user_id: userId, model }: Pick<BatchRow, 'user_id' | 'model'>,
  most: number,
): Promise<string[]> {
  const first = await db
    .selectFrom('batches')
    .select('id')
    .where('user_id', '=', userId)
    .where('model', '=', model)
    .where('state', '=', 'running')
    .orderBy(sql`row_number() over (order by finish_by, id) > 1`)
    .orderBy('id')
    .limit(most)
    .execute();
  return first.map(({ id }) => id);
}

/** Without batches that people paused, of which there may be any number. The latest is last. */
export async function listPausedFor(db: Db, ...reasons: Exclude<PauseReason, 'person'>[]) {
  return db
    .selectFrom('batches')
    .select(['id', 'model', 'is_model_set_up', 'pause_detail', 'paused_at', 'resume_at'])
    .where('state', '=', 'paused')
    .where('pause_reason', 'in', reasons)
    .where('deleted_at', 'is', null)
    .orderBy('paused_at')
    .execute();
}

/** Running batches that no process has leased a slice of. */
export async function listUnleased(db: Db, queue: string) {
  const leased = sql`select from jobs.job
    where name = ${queue} and state = 'active' and data->>'batch_id' = batches.id`;
  return db
    .selectFrom('batches')
    .select(['id', 'model'])
    .where('state', '=', 'running')
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`not exists (${leased})`)
    .execute();
}

/** Writes and takes back some data, so that a full disk shows its error. */
export async function probeStorage(db: Db, filler: string): Promise<void> {
  await db.insertInto('storage_probes').values({ filler }).execute();
  await db.deleteFrom('storage_probes').execute();
}

/** What an ended process may have left: running batches and reservations of stopped ones. */
export async function listBatchesToRecover(db: Db) {
  return db
    .selectFrom('batches')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('state', '=', 'running'),
        eb.and([eb('state', '=', 'stopped'), eb('reserved', '>', 0)]),
      ]),
    )
    .execute();
}

export async function listRetrying(db: Db) {
  return db
    .selectFrom('batches')
    .select('id')
    .where('retry_position', 'is not', null)
    .where('state', 'in', ['running', 'paused'])
    .execute();
}

/** Batches with the reservation of an older preview; see `rate_window_start` in preview.ts. */
export async function listReservedReady(db: Db, askedBefore: Date) {
  return db
    .selectFrom('batches')
    .select('id')
    .where('state', '=', 'ready')
    .where('reserved', '>', 0)
    .where('rate_window_start', '<', askedBefore)
    .execute();
}

export async function lockBatchesOf(db: Db, userId: string) {
  return lockedOf(db, userId).execute();
}

export async function lockEndedBatchesOf(db: Db, userId: string, limit: number) {
  return lockedOf(db, userId).where('ended_at', 'is not', null).limit(limit).execute();
}

function lockedOf(db: Db, userId: string) {
  return undeletedOf(db, userId)
    .select(['id', 'user_id', 'state', 'reserved', 'ended_at'])
    .orderBy('id')
    .forNoKeyUpdate();
}

/** The batches that the person has not deleted. */
export function ownBatches(db: Db, userId: string) {
  return undeletedOf(db, userId).selectAll('batches');
}

function undeletedOf(db: Db, userId: string) {
  return db.selectFrom('batches').where('user_id', '=', userId).where('deleted_at', 'is', null);
}

/** The names of the last batches of a sheet. */
export async function namesOfSheet(
  db: Db,
  { userId, sheetId }: { userId: string; sheetId: string },
): Promise<string[]> {
  const batches = await ownBatches(db, userId)
    .clearSelect()
    .select('name')
    .where('sheet_id', '=', sheetId)
    .orderBy('id', 'desc')
    .limit(1_000)
    .execute();
  return batches.map(({ name }) => name);
}

const returnedBeforeStart = (amount: number) =>
  sql<number>`total_reserved + case when started_at is null then ${amount}::bigint else 0 end`;

const mostReserved = (amount: number) =>
  sql<number>`greatest(total_reserved, charged + reserved + ${amount}::bigint)`;

/**
 * From the start on, `total_reserved` is the most that was charged and reserved at a time: the rest
 * of it has been returned. So failed rows that run again take back what they returned. Before, a
 * preview takes back what it did not need: it says nothing about the batch.
 */
export async function addToReservation(db: Db, id: string, amount: number): Promise<void> {
  await db
    .updateTable('batches')
    .set((eb) => ({
      reserved: eb('reserved', '+', amount),
      total_reserved: amount < 0 ? returnedBeforeStart(amount) : mostReserved(amount),
    }))
    .where('id', '=', id)
    .execute();
}
