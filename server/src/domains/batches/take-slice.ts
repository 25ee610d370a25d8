import type { Context } from '../../context.ts';
import { readSheetRows } from '../files/read-sheet-rows.ts';
import { rowsPerSlice } from '../files/rules.ts';
import { getColumns } from '../files/store.ts';
import { crashesAtMost, isBlank, promptOf, rowsAt, trialsAtMost } from './rules.ts';
import { type BatchRow, findBatchById } from './store/batches.ts';
import { listDoneRows } from './store/results.ts';
import { findSlice } from './store/slices.ts';

export interface RowToAsk {
  row: number;
  prompt: string;
}

export interface SliceInHand {
  batch: BatchRow;
  first: number;
  rows: RowToAsk[];
  /** Rows that fail at once and cost nothing. */
  unasked: { row: number; problem: string }[];
  /** It was in the hands of several processes that died: its rows are asked apart from each other. */
  isSuspect: boolean;
  /** How often a process has died during the trial of a row. */
  accused: Readonly<Record<number, number>>;
}

/** The rows of a slice that have no result yet, with their prompts. Nothing when the batch does not run. */
export async function takeSlice(
  ctx: Context,
  { batchId, first }: { batchId: string; first: number },
): Promise<SliceInHand | null> {
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
    rows: asked.filter((one) => problemOf(one, slice.accused) === null),
    unasked: asked.flatMap(({ row, prompt }) => {
      const problem = problemOf({ row, prompt }, slice.accused);
      return problem === null ? [] : [{ row, problem }];
    }),
    isSuspect: slice.crashes >= crashesAtMost,
    accused: slice.accused,
  };
}

function problemOf({ row, prompt }: RowToAsk, accused: Record<number, number>): string | null {
  if (isBlank(prompt)) return 'The row is blank: there was nothing to ask.';
  const times = accused[row] ?? 0;
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
    if (group && row - (group.at(-1) ?? 0) <= rowsPerSlice) group.push(row);
    else groups.push([row]);
  }
  return groups;
}
