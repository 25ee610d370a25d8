import type { Context } from '../../context.ts';
import { eachSliceOfRows } from '../files/read-sheet-rows.ts';
import type { SheetRow } from '../files/rules.ts';
import type { BatchRow } from './store/batches.ts';
import { listResultsBetween, type RowResult } from './store/results.ts';

export interface Source {
  batch: BatchRow;
  sheet: SheetRow;
}

interface RowWithResult {
  row: number;
  cells: string[];
  result: RowResult | undefined;
}

/** An answer may hold a few bytes or a megabyte: the answers of so many rows are asked for as filled little memory before. */
const rowsAtFirst = 32;
const rowsAtMost = 256;
const roomyLength = 64 * 1024;

/** The rows of the sheet in their order, each with what came of it, as of the moment at which it is read. */
export async function* eachSliceWithResults(
  ctx: Context,
  { batch, sheet }: Source,
): AsyncGenerator<RowWithResult[]> {
  let step = rowsAtFirst;
  for await (const { first, rows } of eachSliceOfRows(ctx, sheet.id, sheet.rows)) {
    for (let at = 0; at < rows.length; ) {
      const some = rows.slice(at, at + step);
      const range = { batchId: batch.id, first: first + at, last: first + at + some.length - 1 };
      const results = await listResultsBetween(ctx.db, range);
      yield withResults(some, range.first, results);
      at += some.length;
      const length = results.reduce((sum, { answer }) => sum + (answer?.length ?? 0), 0);
      step =
        length > roomyLength
          ? Math.max(1, Math.ceil((some.length * roomyLength) / length))
          : Math.min(rowsAtMost, step * 2);
    }
  }
}

function withResults(
  rows: readonly string[][],
  first: number,
  results: readonly RowResult[],
): RowWithResult[] {
  const byRow = new Map(results.map((result) => [result.row, result]));
  return rows.map((cells, index) => ({
    row: first + index,
    cells,
    result: byRow.get(first + index),
  }));
}
