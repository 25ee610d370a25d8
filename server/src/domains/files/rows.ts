import type { Readable } from 'node:stream';
import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import { rowsPerBlock } from '../../lib/csv/sheet.ts';
import { pauseEvery, yieldMilliseconds } from '../../lib/event-loop.ts';
import { isOutOfFiles, ServiceUnavailable } from '../../lib/unavailable.ts';
import { blocksFor, originalKey, rowsKey } from './rules.ts';
import { getByteRanges, getSheet } from './store.ts';

/** Consecutive rows of a sheet. */
export async function readRows(
  ctx: Context,
  { sheetId, first, count }: { sheetId: string; first: number; count: number },
): Promise<string[][]> {
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  return [...(await readRowsAt(ctx, sheetId, numbers)).values()];
}

/** Any rows of a sheet, by their number. For few rows: all are in memory. */
export async function readRowsAt(
  ctx: Context,
  sheetId: string,
  rows: readonly number[],
): Promise<Map<number, string[]>> {
  const cells = new Map<number, string[]>();
  for await (const { row, cells: own } of eachRowAt(ctx, sheetId, rows)) cells.set(row, own);
  return cells;
}

/**
 * Any rows of a sheet, in order. Rows can be long, so only one at a time is in memory. `readAgain`
 * reads one without its neighbours.
 */
export async function* eachRowAt(ctx: Context, sheetId: string, rows: readonly number[]) {
  if (rows.length === 0) return;
  const groups = neighbours(rows);
  const blocks = groups.map(blocksFor);
  const { ranges, width, ...dialect } = await getByteRanges(ctx.db, sheetId, blocks);
  const key = rowsKey(sheetId, dialect);
  const pause = pauseEvery(yieldMilliseconds);
  for (const [index, { wanted }] of groups.entries()) {
    const [start = null, end = 0] = ranges[index] ?? [];
    let row = blocks[index]?.firstRow ?? 0;
    let next = 0;
    for await (const { at, bytes } of eachChunk(ctx, { sheetId, key, start: start ?? end, end })) {
      for (let from = 0; from < bytes.length && next < wanted.length; row++) {
        const to = bytes.indexOf(lineEnd, from);
        if (row === wanted[next]) {
          next++;
          const turn = pause();
          if (turn) await turn;
          const place = { sheetId, key, start: at + from, end: at + to };
          yield {
            row,
            cells: cellsOf(bytes.toString('utf8', from, to), width),
            readAgain: async () => cellsOf((await readBytes(ctx, place)).toString('utf8'), width),
          };
        }
        from = to + 1;
      }
      if (next === wanted.length) break;
    }
  }
}

/** Groups rows at most a block apart, to read each group at once. */
function neighbours(rows: readonly number[]) {
  const groups: { first: number; last: number; wanted: number[] }[] = [];
  for (const row of rows.toSorted((one, other) => one - other)) {
    const group = groups.at(-1);
    if (group && row - group.last <= rowsPerBlock) {
      group.last = row;
      group.wanted.push(row);
    } else groups.push({ first: row, last: row, wanted: [row] });
  }
  return groups;
}

/** The first rows of a sheet, one block at a time, so that other work gets its turn. */
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

/** The rows as JSON, for those who need few of their cells. */
export async function* eachBlockOfLines(ctx: Context, sheetId: string, rows: number) {
  const blocks = { from: 0, to: Math.ceil(rows / rowsPerBlock) };
  const { ranges, width, ...dialect } = await getByteRanges(ctx.db, sheetId, [blocks]);
  const end = ranges[0]?.[1] ?? 0;
  const key = rowsKey(sheetId, dialect);
  let first = 0;
  for await (const { bytes } of eachChunk(ctx, { sheetId, key, start: 0, end })) {
    const lines = linesOf(bytes);
    yield { first, lines, count: lines.length, width };
    first += lines.length;
  }
}

/**
 * Whole lines of the rows file, with the offset of the first. Rows can be long, so it reads chunks
 * of bytes, the next one while a chunk is used.
 */
async function* eachChunk(
  ctx: Context,
  { start, end, ...file }: ByteRange,
): AsyncGenerator<{ at: number; bytes: Buffer }> {
  const { chunkBytes } = ctx.files;
  let rest: Buffer = Buffer.alloc(0);
  let next = readChunk(start);
  for (let from = start; from < end; from += chunkBytes) {
    const chunk = await next;
    next = readChunk(from + chunkBytes);
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.lastIndexOf(lineEnd) + 1;
    if (whole > 0) yield { at: from - rest.length, bytes: bytes.subarray(0, whole) };
    rest = bytes.subarray(whole);
  }

  /** Read ahead, so a chunk may never be asked for. */
  function readChunk(from: number): Promise<Buffer> {
    if (from >= end) return Promise.resolve(Buffer.alloc(0));
    const to = Math.min(from + chunkBytes, end);
    const chunk = readBytes(ctx, { ...file, start: from, end: to });
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

function readBytes(ctx: Context, { sheetId, key, start, end }: ByteRange): Promise<Buffer> {
  return whileStored(ctx, { sheetId, key }, () =>
    ctx.files.readRange(key, start, end).catch((error) => {
      throw error instanceof ServiceUnavailable || isOutOfFiles(error)
        ? error
        : new UnreadableSheet('cannot read a sheet', { cause: error });
    }),
  );
}

/** The stored file is missing, cut off or on a damaged disk. */
export class UnreadableSheet extends Error {
  override name = 'UnreadableSheet';
}

/** Uses files of a sheet, which may be deleted or revised since its record was read. */
export async function whileStored<T>(
  ctx: Context,
  { sheetId, key }: { sheetId: string; key?: string },
  use: () => Promise<T>,
): Promise<T> {
  try {
    return await use();
  } catch (error) {
    const sheet = await getSheet(ctx.db, sheetId);
    if (sheet.deleted_at) refuse('not_found');
    if (key && rowsKey(sheetId, sheet) !== key) refuse('busy', { retryAfterSeconds: 1 });
    throw error;
  }
}

export function openOriginalFile(ctx: Context, sheetId: string): Promise<Readable> {
  return whileStored(ctx, { sheetId }, () => ctx.files.open(originalKey(sheetId)));
}

/** JSON escapes line ends within cells, so every raw line end ends a row. */
const lineEnd = 0x0a;

function linesOf(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\n').slice(0, -1);
}

async function parseRows(lines: readonly string[], width: number): Promise<string[][]> {
  const pause = pauseEvery(yieldMilliseconds);
  const rows: string[][] = [];
  for (const line of lines) {
    const turn = pause();
    if (turn) await turn;
    rows.push(cellsOf(line, width));
  }
  return rows;
}

/** Empty cells at the end of a row are not stored. */
function cellsOf(line: string, width: number): string[] {
  const cells = JSON.parse(line) as string[];
  while (cells.length < width) cells.push('');
  return cells;
}
