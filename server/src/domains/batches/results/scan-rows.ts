import { splitAnswer } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { pauseEvery, yieldMilliseconds } from '../../../lib/event-loop.ts';
import { eachBlockOfLines } from '../../files/rows.ts';
import { selectedRows } from '../slices/sizes.ts';
import type { BatchRow } from '../store/batches.ts';
import { listResultsOf } from '../store/results.ts';
import {
  type ResultScan,
  type ScannedResults,
  scannedAnswer,
  scanResults,
} from '../store/scanned-results.ts';
import type { ScanPlan } from './row-tests.ts';
import { ScannedRow } from './scanned-row.ts';

/** A statement looks at rows for about this long, so that others get their turns. */
const statementMilliseconds = 25;
const fewestRows = 1_000;
/** Rows after many short ones can be long. */
const mostRows = 10_000;

interface Scan {
  plan: ScanPlan;
  onFound: (row: ScannedRow) => void;
  /** Ends the scan early. */
  isEnough?: () => boolean;
}

/** Passes the rows that a plan finds, in order, until the client of the call has gone. */
export async function scanRows(
  ctx: Context,
  batch: BatchRow,
  { plan, onFound, isEnough = () => false }: Scan,
): Promise<void> {
  const selected = selectedRows(batch);
  const end = selected?.end ?? batch.rows;
  const scanned = new ScannedRow(batch.options.outputs);
  const reader = new ResultsAhead(ctx, batch, { end, scan: plan.results });
  const pause = pauseEvery(yieldMilliseconds);
  for await (const block of plan.readsSheet
    ? eachBlockOfLines(ctx, batch.sheet_id, end)
    : emptyBlock(end)) {
    const blockEnd = Math.min(block.first + block.count, end);
    for (let first = block.first; first < blockEnd; ) {
      // The client has left.
      if (ctx.signal?.aborted) refuse('too_many_requests');
      if (isEnough()) return;
      const { results, last } = await reader.readTo(first);
      const after = Math.min(last + 1, blockEnd);
      let row = first;
      while (row < after) {
        const turn = pause();
        if (turn) await turn;
        while ((results.rows[reader.at] ?? after) < row) reader.at++;
        const returned = results.rows[reader.at] ?? after;
        if (plan.onlyReturned) row = returned;
        if (row >= after) break;
        if (!selected || selected.has(row)) {
          const at = returned === row ? reader.at : undefined;
          scanned.set(row, block.lines?.[row - block.first], results, at);
          if (plan.isFound(scanned)) onFound(scanned);
        }
        row++;
      }
      first = after;
    }
  }
}

const none: ScannedResults = { rows: [], columns: {} };

/**
 * Reads results some thousand rows at a time, however few rows of the sheet are read at once. The
 * database finds the next ones meanwhile.
 */
class ResultsAhead {
  /** The index of the next result. */
  at = 0;
  #known = { results: none, last: -1 };
  #next: Promise<{ results: ScannedResults; last: number }> | undefined;
  #step = fewestRows;
  readonly #ctx: Context;
  readonly #batch: BatchRow;
  readonly #end: number;
  readonly #scan: ResultScan | null;

  constructor(
    ctx: Context,
    batch: BatchRow,
    { end, scan }: { end: number; scan: ResultScan | null },
  ) {
    this.#ctx = ctx;
    this.#batch = batch;
    this.#end = end;
    this.#scan = scan;
    if (scan) this.#readAhead(scan);
    else this.#known.last = end - 1;
  }

  /** The results around a row, and the last row that they cover. */
  async readTo(first: number): Promise<{ results: ScannedResults; last: number }> {
    if (!this.#scan || !this.#next || first <= this.#known.last) return this.#known;
    this.#known = await this.#next;
    this.at = 0;
    this.#readAhead(this.#scan);
    return this.#known;
  }

  #readAhead(scan: ResultScan): void {
    const first = this.#known.last + 1;
    this.#next = first < this.#end ? this.#read(first, scan) : undefined;
    // A scan that ends early does not ask for it.
    this.#next?.catch(() => {});
  }

  async #read(first: number, scan: ResultScan) {
    const last = Math.min(first + this.#step, this.#end) - 1;
    const startedAt = performance.now();
    const batchId = this.#batch.id;
    const results = await scanResults(this.#ctx.db, { batchId, first, last, scan });
    const longAnswers = await readLongAnswers(this.#ctx, this.#batch, results);
    const isQuick = performance.now() - startedAt < statementMilliseconds;
    const step = isQuick ? this.#step * 2 : Math.floor(this.#step / 2);
    this.#step = Math.min(mostRows, Math.max(fewestRows, step));
    return { results: { ...results, longAnswers }, last };
  }
}

/** An answer has up to a megabyte. */
const longAnswersAtOnce = 8;

/** Splits answers of several columns that were cut. Of each column the start is kept. */
async function readLongAnswers(
  ctx: Context,
  { id: batchId, options: { outputs } }: BatchRow,
  { rows, columns }: ScannedResults,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = new Map<number, readonly string[]>();
  if (outputs.length === 0) return found;
  const places = new Map(
    (columns.answer ?? []).flatMap((answer, at): [number, number][] =>
      answer.length < scannedAnswer ? [] : [[rows[at] as number, at]],
    ),
  );
  const long = [...places.keys()];
  for (let at = 0; at < long.length; at += longAnswersAtOnce) {
    const some = long.slice(at, at + longAnswersAtOnce);
    for (const { row, answer, correction } of await listResultsOf(ctx.db, {
      batchId,
      rows: some,
    })) {
      const texts = splitAnswer(correction ?? answer ?? '', outputs);
      // What is cut from a long text would keep all of it in memory.
      const starts = texts.map((text) => structuredClone(text.slice(0, scannedAnswer)));
      found.set(places.get(row) as number, starts);
    }
  }
  return found;
}

async function* emptyBlock(count: number) {
  yield { first: 0, count, lines: undefined };
}
