import type { Context } from '../../../core/context.ts';
import { type BatchRow, listFirstRunning, updateBatch } from '../store/batches.ts';
import { countResultsBefore } from '../store/results.ts';
import {
  hasLateSlices,
  insertSlices,
  listOpenSlices,
  moveSlices,
  raiseSlice,
  raiseSlices,
} from '../store/slices.ts';
import {
  firstSlicePriority,
  lateSlicePriority,
  promptBatches,
  sheetRows,
  slicePriority,
  sliceQueueName,
  sliceSize,
  slicesAhead,
  waitingPriority,
} from './sizes.ts';

/** Makes slices without a lease idle: they could wait behind others. The batch is locked. */
export async function withdrawSlices(ctx: Context, batchId: string): Promise<void> {
  const withdrawn = await ctx.withdrawJobs(ctx.db, { name: sliceQueueName, batchId });
  const firsts = (withdrawn as { first: number }[]).map(({ first }) => first);
  await moveSlices(ctx.db, batchId, { firsts, from: 'queued', to: 'idle' });
}

/**
 * Keeps some slices of a running batch queued: idle ones first, then new ones. Needs a transaction
 * that has locked the given batch. Returns how many are queued.
 */
export async function queueSlices(ctx: Context, batch: BatchRow): Promise<number> {
  const batchId = batch.id;
  const open = await listOpenSlices(ctx.db, batchId, slicesAhead);
  const queued = open.filter(({ state }) => state === 'queued').length;
  if (batch.state !== 'running') return queued;
  const running = await listFirstRunning(ctx.db, batch, promptBatches);
  // Slices are leased in turn. With several batches, a client would get as many turns more.
  const ahead = Math.ceil(slicesAhead / running.length);
  const idle = open.slice(queued, Math.max(queued, ahead)).map(({ first }) => first);
  await moveSlices(ctx.db, batchId, { firsts: idle, from: 'idle', to: 'queued' });
  const fresh = await cutSlices(ctx, batch, ahead - queued - idle.length);
  const firsts = [...idle, ...fresh];
  if (firsts.length === 0) return queued;
  const place = running.indexOf(batchId);
  const jobs = firsts.map((first) => ({
    name: sliceQueueName,
    payload: { batch_id: batchId, first },
    priority:
      place < 0 ? waitingPriority : slicePriority(first, { place, batches: running.length }),
    group: batch.model,
  }));
  await ctx.enqueue(ctx.db, ...jobs);
  return queued + jobs.length;
}

/** Gives waiting batches their priority when earlier ones of their client have ended or paused. */
export async function raiseWaitingSlices(ctx: Context): Promise<void> {
  await raiseSlices(ctx.db, {
    queue: sliceQueueName,
    from: waitingPriority,
    to: lateSlicePriority,
    batches: promptBatches,
  });
}

/** The next slice of these models and other people than these becomes as urgent as a first one. */
export async function raiseSliceOfOthers(
  ctx: Context,
  { userIds, models }: { userIds: readonly string[]; models: readonly string[] },
): Promise<boolean> {
  return raiseSlice(ctx.db, {
    queue: sliceQueueName,
    from: lateSlicePriority,
    to: firstSlicePriority,
    exceptOf: userIds,
    groups: models,
  });
}

/** Whether later slices of other batches than these wait, of other models than these. */
export async function hasLateSlicesOfOthers(
  ctx: Context,
  batchIds: readonly string[],
  models: readonly string[],
) {
  return hasLateSlices(ctx.db, {
    queue: sliceQueueName,
    priority: lateSlicePriority,
    exceptOf: batchIds,
    ignoreGroups: models,
  });
}

/** Cuts at most this many new slices and returns their first rows. */
async function cutSlices(ctx: Context, batch: BatchRow, maximum: number): Promise<number[]> {
  let { position, slices } = batch;
  const ready = batch.retry_position ?? batch.rows;
  if (maximum <= 0 || position >= ready) return [];
  const end = Math.min(ready, position + (await remainingCoverage(ctx, batch)));
  const cut = [];
  while (cut.length < maximum && position < end) {
    const count = Math.min(sliceSize(slices), end - position);
    cut.push({ first: position, count });
    position += count;
    slices++;
  }
  if (cut.length === 0) return [];
  await insertSlices(ctx.db, batch.id, cut);
  await updateBatch(ctx.db, batch.id, { position, slices });
  return cut.map(({ first }) => first);
}

/** How many more rows the reservation covers. Only for a start with too few submissions. */
async function remainingCoverage(ctx: Context, batch: BatchRow): Promise<number> {
  const { position } = batch;
  const isFree = batch.price === 0 || position >= batch.rows - batch.free_rows_at_end;
  if (!batch.is_partial || isFree) return Number.POSITIVE_INFINITY;
  const [row = position] = sheetRows(batch, { first: position, count: 1 });
  // A preview may have answered rows beyond the last slice.
  const unanswered = position - (await countResultsBefore(ctx.db, { batchId: batch.id, row }));
  return Math.floor(batch.reserved / batch.price) - unanswered;
}
