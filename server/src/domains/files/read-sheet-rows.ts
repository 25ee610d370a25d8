import type { Context } from '../../context.ts';
import { rowsKey, rowsPerSlice, slicesFor } from './rules.ts';
import { getStretch } from './store.ts';

interface Wanted {
  sheetId: string;
  first: number;
  count: number;
}

/** Rows of a sheet from its rows file: one range is read, however large the file is. */
export async function readSheetRows(
  ctx: Context,
  { sheetId, ...wanted }: Wanted,
): Promise<string[][]> {
  if (wanted.count <= 0) return [];
  const { from, to, skip } = slicesFor(wanted);
  const { start, end, ...dialect } = await getStretch(ctx.db, sheetId, { from, to });
  if (start === null || start >= end) return [];
  const bytes = await ctx.files.readRange(rowsKey(sheetId, dialect), start, end);
  return rowsIn(linesOf(bytes).slice(skip, skip + wanted.count));
}

/**
 * The first rows, a few hundred at most at a time, so that other work gets its turns in between. Rows may be long, so that
 * the file is read by its bytes and not by its slices.
 */
export async function* eachSliceOfRows(
  ctx: Context,
  sheetId: string,
  rows: number,
): AsyncGenerator<{ first: number; rows: string[][] }> {
  const { end, ...dialect } = await getStretch(ctx.db, sheetId, {
    from: 0,
    to: Math.ceil(rows / rowsPerSlice),
  });
  let rest: Buffer = Buffer.alloc(0);
  let first = 0;
  const { pieceBytes } = ctx.files;
  for (let start = 0; start < end; start += pieceBytes) {
    const piece = await ctx.files.readRange(
      rowsKey(sheetId, dialect),
      start,
      Math.min(start + pieceBytes, end),
    );
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.lastIndexOf('\n') + 1;
    rest = bytes.subarray(whole);
    const lines = linesOf(bytes.subarray(0, whole));
    for (let at = 0; at < lines.length; at += rowsPerSlice) {
      yield { first: first + at, rows: rowsIn(lines.slice(at, at + rowsPerSlice)) };
    }
    first += lines.length;
  }
}

/** A line end within a cell is written as \\n, so that each raw one ends a row. */
function linesOf(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\n').slice(0, -1);
}

function rowsIn(lines: readonly string[]): string[][] {
  return lines.map((line) => JSON.parse(line) as string[]);
}
