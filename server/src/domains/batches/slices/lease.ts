import type { Context } from '../../../core/context.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { rowsPerBlock } from '../../../lib/csv/sheet.ts';
import { readRows as readSheetRows } from '../../files/rows.ts';
import { getColumns } from '../../files/store.ts';
import { pauseByEngine } from '../lifecycle/engine-pause.ts';
import { releaseHold } from '../lifecycle/reserve-credits.ts';
import {
  crashesAtMost,
  isBlank,
  promptOf,
  rowsAt,
  sliceQueueName,
  trialsAtMost,
} from '../rules.ts';
import { type BatchRow, findBatchById, lockBatch } from '../store/batches.ts';
import { listDoneRows } from '../store/results.ts';
import { findSlice, layDownSlice } from '../store/slices.ts';
import { queueSlicesOf } from './queue.ts';

export interface RowToAsk {
  row: number;
  prompt: string;
}

export interface FetchedSlice {
  batch: BatchRow;
  first: number;
  rows: RowToAsk[];
  /** Rows that fail at once and cost nothing. */
  unasked: { row: number; problem: string }[];
  /** It was in the hands of several processes that died: its rows are asked apart from each other. */
  isSuspected: boolean;
  /** How often a process has died during the trial of a row. */
  crashCounts: Readonly<Record<number, number>>;
}

/** The rows of a slice that have no result yet, with their prompts. Nothing when the batch does not run. */
export async function takeSlice(
  ctx: Context,
  { batchId, first }: { batchId: string; first: number },
): Promise<FetchedSlice | null> {
  const batch = await findBatchById(ctx.db, batchId);
  const slice = await findSlice(ctx.db, { batchId, first });
  if (batch?.state !== 'running' || slice?.state !== 'queued') return null;
  const wanted = rowsAt(batch, slice);
  const done = new Set(
    await listDoneRows(ctx.db, { batchId, first: wanted[0] ?? 0, last: wanted.at(-1) ?? 0 }),
  );
  const left = wanted.filter((row) => !done.has(row));
  const cells = await cellsOf(ctx, batch.sheet_id, left);
  const columns = await getColumns(ctx.db, batch.sheet_id);
  const render = promptOf(batch, columns);
  const asked = left.map((row) => ({ row, prompt: render(cells.get(row) ?? []) }));
  return {
    batch,
    first,
    rows: asked.filter((one) => problemOf(one, slice.row_crash_counts) === null),
    unasked: asked.flatMap(({ row, prompt }) => {
      const problem = problemOf({ row, prompt }, slice.row_crash_counts);
      return problem === null ? [] : [{ row, problem }];
    }),
    isSuspected: slice.crash_count >= crashesAtMost,
    crashCounts: slice.row_crash_counts,
  };
}

function problemOf({ row, prompt }: RowToAsk, crashCounts: Record<number, number>): string | null {
  if (isBlank(prompt)) return 'The row is blank: there was nothing to ask.';
  const times = crashCounts[row] ?? 0;
  return times >= trialsAtMost
    ? `The product broke down ${times} times while it asked this row, so it is not asked again.`
    : null;
}

export async function cellsOf(
  ctx: Context,
  sheetId: string,
  rows: readonly number[],
): Promise<Map<number, string[]>> {
  const cells = new Map<number, string[]>();
  for (const group of neighbours(rows)) {
    const first = group[0] ?? 0;
    const found = await readSheetRows(ctx, {
      sheetId,
      first,
      count: (group.at(-1) ?? first) - first + 1,
    });
    for (const row of group) cells.set(row, found[row - first] ?? []);
  }
  return cells;
}

/** Rows that are read together: chosen ones may lie far apart in the rows file. */
function neighbours(rows: readonly number[]): number[][] {
  const groups: number[][] = [];
  for (const row of rows.toSorted((one, other) => one - other)) {
    const group = groups.at(-1);
    if (group && row - (group.at(-1) ?? 0) <= rowsPerBlock) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

interface Ended {
  batchId: string;
  first: number;
  claim: { id: string; retryCount: number };
  /** Whether every row of it has a result. */
  isComplete: boolean;
}

/**
 * A worker lays a slice out of its hands: it is done, or waits for the batch to go on, or goes back into the queue when
 * the batch runs again already. Its job ends in the same transaction, so that no slice is lost and none is there twice.
 */
export async function endSlice(
  ctx: Context,
  { batchId, first, claim, isComplete }: Ended,
): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const batch = await lockBatch(inside.db, batchId);
    const isOurs = await inside.finishJob(inside.db, { name: sliceQueueName, ...claim });
    // A worker that was thought dead has settled what it knew; the slice is another's now.
    if (!batch || !isOurs) return;
    await layDownSlice(inside.db, { batchId, first, state: isComplete ? 'done' : 'idle' });
    const queued = await queueSlicesOf(inside, batch);
    if (queued > 0) return;
    if (batch.state === 'stopped') {
      await releaseHold(inside, batch);
      await inside.publish(inside.db, {
        user_id: batch.user_id,
        batch_id: batchId,
        state: 'stopped',
      });
    }
    // Rows are left, and what was held is used up.
    if (batch.state === 'running' && batch.is_partial)
      await pauseByEngine(inside, { batchId, reason: 'needs_credits' });
  });
}
