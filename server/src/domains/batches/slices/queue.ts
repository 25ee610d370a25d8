import type { Context } from '../../../core/context.ts';
import { invariant } from '../../../core/refusal.ts';
import { countOfSlice, priorityOfSlice, sliceQueueName, slicesAhead } from '../rules.ts';
import { type BatchRow, lockBatch, updateBatch } from '../store/batches.ts';
import { countResultsBefore } from '../store/results.ts';
import {
  insertSlices,
  listIdleSlices,
  listQueuedSlices,
  queueIdleSlices,
} from '../store/slices.ts';

/**
 * Keeps a few slices of a running batch in the queue: first those that were laid aside, then new ones. Called whenever the
 * batch begins to run and whenever a slice ends, in that transaction. Gives back how many are in the queue.
 */
export async function queueSlices(ctx: Context, batchId: string): Promise<number> {
  const batch = await lockBatch(ctx.db, batchId);
  invariant(batch, 'a batch whose slices are queued is there');
  return queueSlicesOf(ctx, batch);
}

/** For whoever has locked the batch already, and has not changed it since. */
export async function queueSlicesOf(ctx: Context, batch: BatchRow): Promise<number> {
  const batchId = batch.id;
  const queued = (await listQueuedSlices(ctx.db, batchId)).length;
  if (batch.state !== 'running') return queued;
  const idle = (await listIdleSlices(ctx.db, batchId, slicesAhead - queued)).map(
    ({ first }) => first,
  );
  await queueIdleSlices(ctx.db, batchId, idle);
  const fresh = await cutNewSlices(ctx, batch, slicesAhead - queued - idle.length);
  const jobs = [...idle, ...fresh].map((first) => ({
    name: sliceQueueName,
    payload: { batch_id: batchId, first },
    priority: priorityOfSlice(first),
  }));
  await ctx.enqueue(ctx.db, ...jobs);
  return queued + jobs.length;
}

/** Gives back where the new ones begin. */
async function cutNewSlices(ctx: Context, batch: BatchRow, room: number): Promise<number[]> {
  let { position, slices } = batch;
  const made = [];
  while (made.length < room && position < batch.rows) {
    const count = Math.min(
      countOfSlice(slices),
      batch.rows - position,
      await coverOf(ctx, batch, position),
    );
    if (count <= 0) break;
    made.push({ first: position, count });
    position += count;
    slices++;
  }
  if (made.length === 0) return [];
  await insertSlices(ctx.db, batch.id, made);
  await updateBatch(ctx.db, batch.id, { position, slices });
  return made.map(({ first }) => first);
}

/** How many more rows the hold covers. Only a batch that was started with too little must look. */
async function coverOf(ctx: Context, batch: BatchRow, position: number): Promise<number> {
  if (!batch.is_partial || batch.price === 0) return Number.POSITIVE_INFINITY;
  const row = batch.selection?.[position] ?? position;
  // A preview may have answered rows that no slice has reached yet.
  const underWay = position - (await countResultsBefore(ctx.db, { batchId: batch.id, row }));
  return Math.floor(batch.reserved / batch.price) - underWay;
}
