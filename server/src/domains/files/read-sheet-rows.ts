import type { Context } from '../../context.ts';
import { rowsKey, rowsPerSlice, slicesFor } from './rules.ts';
import { getOffsets } from './store.ts';

interface Wanted {
  sheetId: string;
  first: number;
  count: number;
}

/** Rows of a sheet from its rows file: one range is read, however large the file is. */
export async function readSheetRows(ctx: Context, wanted: Wanted): Promise<string[][]> {
  if (wanted.count <= 0) return [];
  const offsets = await offsetsOf(ctx, wanted.sheetId);
  const { from, to, skip } = slicesFor(wanted);
  const start = offsets[from];
  const end = offsets[Math.min(to, offsets.length - 1)];
  if (start === undefined || end === undefined || start >= end) return [];
  const bytes = await ctx.files.readRange(rowsKey(wanted.sheetId), start, end);
  const lines = bytes.toString('utf8').split('\n');
  return lines.slice(skip, skip + wanted.count).flatMap((line) => (line ? [JSON.parse(line) as string[]] : []));
}

/** All rows, a few hundred at a time, so that other work gets its turns in between. */
export async function* eachSliceOfRows(
  ctx: Context,
  sheetId: string,
  rows: number,
): AsyncGenerator<{ first: number; rows: string[][] }> {
  for (let first = 0; first < rows; first += rowsPerSlice) {
    yield { first, rows: await readSheetRows(ctx, { sheetId, first, count: rowsPerSlice }) };
  }
}

/** The index of a sheet never changes while batches use it, and every slice asks for it. */
const keptAtMost = 50;
const kept = new Map<string, number[]>();

async function offsetsOf(ctx: Context, sheetId: string): Promise<number[]> {
  const known = kept.get(sheetId);
  if (known) return known;
  const offsets = await getOffsets(ctx.db, sheetId);
  const [oldest] = kept.keys();
  if (kept.size >= keptAtMost && oldest) kept.delete(oldest);
  kept.set(sheetId, offsets);
  return offsets;
}

export function forgetOffsets(sheetId: string): void {
  kept.delete(sheetId);
}
