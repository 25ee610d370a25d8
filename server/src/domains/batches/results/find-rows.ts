import { maximumCountedValues, type RowSearch, type RowSort } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { pauseEvery, yieldMilliseconds } from '../../../lib/pause.ts';
import type { BatchRow } from '../store/batches.ts';
import { testFor } from './row-tests.ts';
import { needsOf, readerOf, scanRows } from './scan-rows.ts';
import { SortKeys } from './sort-keys.ts';

interface Wanted {
  search: RowSearch;
  sort?: RowSort | undefined;
}

/** The rows that a search finds, in the order that is asked for. Reads the whole batch, so the last lists are remembered. */
export async function findRows(ctx: Context, batch: BatchRow, wanted: Wanted): Promise<Int32Array> {
  const key = keyOf(batch, wanted);
  const known = recall(key);
  if (known) return known;
  const rows = await scan(ctx, batch, wanted);
  remember(key, rows);
  return rows;
}

async function scan(ctx: Context, batch: BatchRow, { search, sort }: Wanted): Promise<Int32Array> {
  const isFound = testFor(search);
  const keys = sort && new SortKeys(sort.order);
  const read = sort && readerOf(sort.column);
  const found: number[] = [];
  await scanRows(ctx, batch, {
    needs: needsOf(search, sort ? [sort.column] : []),
    onRow: (row) => {
      if (!isFound(row)) return;
      found.push(row.row);
      if (keys && read) keys.add(read(row));
    },
  });
  const rows = Int32Array.from(found);
  if (!keys) return rows;
  const order = await keys.sorted(pauseEvery(yieldMilliseconds));
  return order.map((index) => rows[index] as number);
}

const longestValue = 200;

/** How often each value of a column occurs in the rows that are found; null when it has too many different ones. */
export async function countValues(
  ctx: Context,
  batch: BatchRow,
  { search, column }: { search: RowSearch; column: string },
) {
  const isFound = testFor(search);
  const read = readerOf(column);
  const counts = new Map<string, number>();
  await scanRows(ctx, batch, {
    needs: needsOf(search, [column]),
    onRow: (row) => {
      if (counts.size > maximumCountedValues || !isFound(row)) return;
      const value = read(row).slice(0, longestValue).trim();
      counts.set(value, (counts.get(value) ?? 0) + 1);
    },
  });
  if (counts.size > maximumCountedValues) return null;
  return [...counts]
    .map(([value, rows]) => ({ value, rows }))
    .sort((one, other) => other.rows - one.rows);
}

/** Changes whenever a row of the batch gets or loses a result, a mark or a judgement. */
function keyOf(batch: BatchRow, wanted: Wanted): string {
  const { id, answered, failed, marked, total_reserved, ended_at, judgement_version } = batch;
  return JSON.stringify([
    id,
    answered,
    failed,
    marked,
    total_reserved,
    ended_at,
    judgement_version,
    wanted,
  ]);
}

/** The lists of this process, least recently used first. */
const remembered = new Map<string, Int32Array>();
const maximumRemembered = { lists: 200, rows: 4_000_000 } as const;

function recall(key: string): Int32Array | undefined {
  const rows = remembered.get(key);
  if (rows) {
    remembered.delete(key);
    remembered.set(key, rows);
  }
  return rows;
}

function remember(key: string, rows: Int32Array): void {
  remembered.set(key, rows);
  let total = 0;
  for (const { length } of remembered.values()) total += length;
  for (const [oldest, { length }] of remembered) {
    if (total <= maximumRemembered.rows && remembered.size <= maximumRemembered.lists) break;
    remembered.delete(oldest);
    total -= length;
  }
}
