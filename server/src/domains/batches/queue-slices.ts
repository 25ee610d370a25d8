import type { Context } from '../../context.ts';
import { invariant } from '../../refusal.ts';
import { countOfSlice, priorityOfSlice, sliceQueueName, slicesAhead } from './rules.ts';
import { type BatchRow, lockBatch, updateBatch } from './store/batches.ts';
import { countResultsBefore } from './store/results.ts';
import { insertSlice, listIdleSlices, listQueuedSlices, setSliceState } from './store/slices.ts';

/**
 * Keeps a few slices of a running batch in the queue: first those that were laid aside, then new ones. Called whenever the
 * batch begins to run and whenever a slice ends, in that transaction. Gives back how many are in the queue.
 */
export async function queueSlices(ctx: Context, batchId: string): Promise<number> {
  const batch = await lockBatch(ctx.db, batchId);
  invariant(batch, 'a batch whose slices are queued is there');
  if (batch.state !== 'running') return (await listQueuedSlices(ctx.db, batchId)).length;
  let queued = (await listQueuedSlices(ctx.db, batchId)).length;
  for (const { first } of await listIdleSlices(ctx.db, batchId, slicesAhead - queued)) {
    await setSliceState(ctx.db, { batchId, first, state: 'queued' });
    await ctx.enqueue(ctx.db, sliceJob(batchId, first));
    queued++;
  }
  return queued + (await cutNewSlices(ctx, batch, slicesAhead - queued));
}

function sliceJob(batchId: string, first: number) {
  return { name: sliceQueueName, payload: { batch_id: batchId, first }, priority: priorityOfSlice(first) };
}

async function cutNewSlices(ctx: Context, batch: BatchRow, room: number): Promise<number> {
  let { position, slices } = batch;
  let made = 0;
  while (made < room && position < batch.rows) {
    const count = Math.min(countOfSlice(slices), batch.rows - position, await coverOf(ctx, batch, position));
    if (count <= 0) break;
    await insertSlice(ctx.db, { batchId: batch.id, first: position, count });
    await ctx.enqueue(ctx.db, sliceJob(batch.id, position));
    position += count;
    slices++;
    made++;
  }
  if (made > 0) await updateBatch(ctx.db, batch.id, { position, slices });
  return made;
}

/** How many more rows the hold covers. Only a batch that was started with too little must look. */
async function coverOf(ctx: Context, batch: BatchRow, position: number): Promise<number> {
  if (!batch.is_partial || batch.price === 0) return Number.POSITIVE_INFINITY;
  const row = batch.selection?.[position] ?? position;
  // A preview may have answered rows that no slice has reached yet.
  const underWay = position - (await countResultsBefore(ctx.db, { batchId: batch.id, row }));
  return Math.floor(batch.held / batch.price) - underWay;
}
