import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import { rowsPerBlock } from '../../lib/csv/sheet.ts';
import { pauseEvery, yieldMilliseconds } from '../../lib/pause.ts';
import { blocksFor, rowsKey } from './rules.ts';
import { getByteRanges, getSheet } from './store.ts';

interface RowRange {
  sheetId: string;
  first: number;
  count: number;
}

/** Consecutive rows of a sheet, with one range read of its rows file. */
export async function readRows(ctx: Context, { sheetId, ...range }: RowRange): Promise<string[][]> {
  const [rows = []] = await readRanges(ctx, sheetId, [range]);
  return rows;
}

/** Any rows of a sheet, by their number. */
export async function readRowsAt(
  ctx: Context,
  sheetId: string,
  rows: readonly number[],
): Promise<Map<number, string[]>> {
  const groups = neighbours(rows).map((group) => {
    const first = group[0] ?? 0;
    return { group, first, count: (group.at(-1) ?? first) - first + 1 };
  });
  const ranges = await readRanges(ctx, sheetId, groups);
  const cells = new Map<number, string[]>();
  for (const [index, { group, first }] of groups.entries())
    for (const row of group) cells.set(row, ranges[index]?.[row - first] ?? []);
  return cells;
}

/** One statement finds all ranges in the rows file. */
async function readRanges(
  ctx: Context,
  sheetId: string,
  wanted: readonly Omit<RowRange, 'sheetId'>[],
): Promise<string[][][]> {
  if (wanted.every(({ count }) => count <= 0)) return [];
  const blocks = wanted.map(blocksFor);
  const { ranges, width, ...dialect } = await getByteRanges(ctx.db, sheetId, blocks);
  const key = rowsKey(sheetId, dialect);
  const found = [];
  for (const [index, { count }] of wanted.entries()) {
    const [start = null, end = 0] = ranges[index] ?? [];
    const skip = blocks[index]?.skip ?? 0;
    const bytes =
      start === null || start >= end || count <= 0
        ? Buffer.alloc(0)
        : await readBytes(ctx, { sheetId, key, start, end });
    found.push(await parseRows(linesOf(bytes).slice(skip, skip + count), width));
  }
  return found;
}

/** Groups rows at most a block apart, to read each group at once. */
function neighbours(rows: readonly number[]): number[][] {
  const groups: number[][] = [];
  for (const row of rows.toSorted((one, other) => one - other)) {
    const group = groups.at(-1);
    if (group && row - (group.at(-1) ?? 0) <= rowsPerBlock) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** The first rows of a sheet, at most one block at a time, so that other work gets its turn in between. */
export async function* eachBlockOfRows(
  ctx: Context,
  sheetId: string,
  rows: number,
): AsyncGenerator<{ first: number; rows: string[][] }> {
  for await (const { first, lines, width } of eachBlockOfLines(ctx, sheetId, rows)) {
    for (let at = 0; at < lines.length; at += rowsPerBlock)
      yield {
        first: first + at,
        rows: await parseRows(lines.slice(at, at + rowsPerBlock), width),
      };
  }
}

/**
 * The rows as JSON, for those who need few of their cells. Rows can be long, so the file is read in chunks of bytes
 * rather than blocks, the next one while a chunk is used.
 */
export async function* eachBlockOfLines(ctx: Context, sheetId: string, rows: number) {
  const blocks = { from: 0, to: Math.ceil(rows / rowsPerBlock) };
  const { ranges, width, ...dialect } = await getByteRanges(ctx.db, sheetId, [blocks]);
  const end = ranges[0]?.[1] ?? 0;
  const key = rowsKey(sheetId, dialect);
  const { chunkBytes } = ctx.files;
  let rest: Buffer = Buffer.alloc(0);
  let first = 0;
  let next = readChunk(0);
  for (let start = 0; start < end; start += chunkBytes) {
    const chunk = await next;
    next = readChunk(start + chunkBytes);
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.lastIndexOf('\n') + 1;
    rest = bytes.subarray(whole);
    const lines = linesOf(bytes.subarray(0, whole));
    yield { first, lines, count: lines.length, width };
    first += lines.length;
  }

  /** Read ahead, so a chunk may never be asked for. */
  function readChunk(start: number): Promise<Buffer> {
    if (start >= end) return Promise.resolve(Buffer.alloc(0));
    const to = Math.min(start + chunkBytes, end);
    const chunk = readBytes(ctx, { sheetId, key, start, end: to });
    chunk.catch(() => {});
    return chunk;
  }
}

interface ByteRange {
  sheetId: string;
  key: string;
  start: number;
  end: number;
}

/** The sheet may be deleted since its layout was read. */
async function readBytes(ctx: Context, { sheetId, key, start, end }: ByteRange): Promise<Buffer> {
  try {
    return await ctx.files.readRange(key, start, end);
  } catch (error) {
    if ((await getSheet(ctx.db, sheetId)).deleted_at) refuse('not_found');
    throw error;
  }
}

/** JSON escapes line ends within cells, so every raw line end ends a row. */
function linesOf(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\n').slice(0, -1);
}

/** Empty cells at the end of a row are not stored. */
async function parseRows(lines: readonly string[], width: number): Promise<string[][]> {
  const pause = pauseEvery(yieldMilliseconds);
  const rows: string[][] = [];
  for (const line of lines) {
    const turn = pause();
    if (turn) await turn;
    const cells = JSON.parse(line) as string[];
    while (cells.length < width) cells.push('');
    rows.push(cells);
  }
  return rows;
}
