import {
  countedCharacters,
  maximumCountedValues,
  type RowSearch,
  type RowSort,
} from '@rowmill/contract';
import type { Context, ValueCounts } from '../../../core/context.ts';
import { refuseField } from '../../../core/refusal.ts';
import { pauseEvery, yieldMilliseconds } from '../../../lib/event-loop.ts';
import * as texts from '../../../texts/batches.ts';
import { getColumns } from '../../files/store.ts';
import type { BatchRow } from '../store/batches.ts';
import { composed, planScan } from './row-tests.ts';
import { scanRows } from './scan-rows.ts';
import { readerOf, type ScannedRow } from './scanned-row.ts';
import { SortKeys } from './sort-keys.ts';

interface Wanted {
  search: RowSearch;
  sort?: RowSort;
  /** A column whose values are counted on the way, for `countValues`. */
  count?: string;
}

/** The rows that a search finds, in order. It reads the whole batch, so lists are cached. */
export async function findRows(ctx: Context, batch: BatchRow, wanted: Wanted): Promise<Int32Array> {
  const { search, sort, count } = wanted;
  const key = keyOf(batch, { search, sort });
  const known = ctx.foundRows.get(key);
  if (known) return known;
  const others = [sort?.column, count].filter((column) => column !== undefined);
  await refuseUnknownColumns(ctx, batch, [...columnsIn(search), ...others]);
  const keys = sort && new SortKeys(sort.order, batch.rows);
  const read = sort && readerOf(sort.column);
  const counter = count === undefined ? undefined : new ValueCounter(count);
  const found: number[] = [];
  await scanRows(ctx, batch, {
    plan: planScan(search, { outputs: batch.options.outputs, others }),
    onFound: (row) => {
      found.push(row.row);
      if (keys && read) keys.add(read(row));
      counter?.add(row);
    },
  });
  const rows = new Int32Array(found);
  const sorted = await keys?.sorted(pauseEvery(yieldMilliseconds));
  const ordered = sorted?.map((index) => rows[index] as number) ?? rows;
  ctx.foundRows.set(key, ordered);
  if (counter) ctx.valueCounts.set(keyOf(batch, { search, count }), { values: counter.values() });
  return ordered;
}

/** How often each value of a column occurs. */
export async function countValues(
  ctx: Context,
  batch: BatchRow,
  { search, column }: { search: RowSearch; column: string },
): Promise<ValueCounts> {
  const key = keyOf(batch, { search, count: column });
  const known = ctx.valueCounts.get(key);
  if (known) return known.values;
  await refuseUnknownColumns(ctx, batch, [...columnsIn(search), column]);
  const counter = new ValueCounter(column);
  await scanRows(ctx, batch, {
    plan: planScan(search, { outputs: batch.options.outputs, others: [column] }),
    onFound: (row) => counter.add(row),
    isEnough: () => counter.hasTooMany,
  });
  const values = counter.values();
  ctx.valueCounts.set(key, { values });
  return values;
}

const columnsIn = ({ conditions }: RowSearch) => conditions.map(({ column }) => column);

/** A column behind the last one would be empty in every row, and all of them would run again. */
async function refuseUnknownColumns(ctx: Context, batch: BatchRow, columns: readonly string[]) {
  const own = await getColumns(ctx.db, batch.sheet_id);
  const ends = new Map([
    ['sheet', own.length],
    ['answer', batch.options.outputs.length || 1],
  ]);
  for (const column of columns) {
    const [of = '', index] = column.split(' ');
    if (Number(index) >= (ends.get(of) ?? 0)) refuseField(column, texts.noSuchColumn);
  }
}

class ValueCounter {
  readonly #read: (row: ScannedRow) => string;
  readonly #counts = new Map<string, number>();

  constructor(column: string) {
    this.#read = readerOf(column);
  }

  get hasTooMany(): boolean {
    return this.#counts.size > maximumCountedValues;
  }

  add(row: ScannedRow): void {
    if (this.hasTooMany) return;
    const value = composed(this.#read(row).slice(0, countedCharacters)).trim();
    const known = this.#counts.get(value);
    // What is cut from a text of many rows would keep all of them in memory.
    this.#counts.set(known === undefined ? structuredClone(value) : value, (known ?? 0) + 1);
  }

  /** The most frequent first. */
  values(): ValueCounts {
    if (this.hasTooMany) return null;
    return [...this.#counts]
      .map(([value, rows]) => ({ value, rows }))
      .sort((one, other) => other.rows - one.rows);
  }
}

/** Changes whenever a row of the batch gets or loses a result, a mark or a judgement. */
function keyOf(batch: BatchRow, wanted: Wanted): string {
  const { id, answered, failed, skipped, marked, total_reserved, ended_at, judgement_version } =
    batch;
  return JSON.stringify([
    id,
    answered,
    failed,
    skipped,
    marked,
    total_reserved,
    ended_at,
    judgement_version,
    wanted,
  ]);
}
