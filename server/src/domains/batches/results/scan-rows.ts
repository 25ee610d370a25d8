import { cellsOf, marksIn, type Output, type RowSearch } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { pauseEvery, yieldMilliseconds } from '../../../lib/pause.ts';
import { eachBlockOfLines } from '../../files/rows.ts';
import type { BatchRow } from '../store/batches.ts';
import { listScannedResults, type ScannedResult } from '../store/results.ts';

/** A row that a scan passes. It is used again for the next one. */
export class ScannedRow {
  row = 0;
  /** The cells as JSON; undefined when the scan does not read the sheet. */
  line: string | undefined;
  result: ScannedResult | undefined;
  readonly #outputs: readonly Output[];
  #cells: readonly string[] | null = null;
  #answers: readonly string[] | null = null;

  constructor(outputs: readonly Output[]) {
    this.#outputs = outputs;
  }

  set(row: number, line: string | undefined, result: ScannedResult | undefined): void {
    this.row = row;
    this.line = line;
    this.result = result;
    this.#cells = null;
    this.#answers = null;
  }

  get cells(): readonly string[] {
    this.#cells ??= this.line === undefined ? [] : (JSON.parse(this.line) as string[]);
    return this.#cells;
  }

  /** As the grid shows them: an answer that is not split into columns stands in the first one. */
  get answers(): readonly string[] {
    this.#answers ??= this.#readAnswers();
    return this.#answers;
  }

  #readAnswers(): readonly string[] {
    const { state, answer: given, correction } = this.result ?? {};
    const answer = correction ?? given;
    if (state !== 'answered' || !answer) return [];
    return cellsOf(answer, this.#outputs)?.map(({ text }) => text) ?? [answer];
  }
}

/** Gives the text of a column. */
export function readerOf(column: string): (row: ScannedRow) => string {
  const [name = '', position = ''] = column.split(' ');
  const index = Number(position);
  if (name === 'sheet') return ({ cells }) => cells[index] ?? '';
  if (name === 'answer') return ({ answers }) => answers[index] ?? '';
  if (name === 'row') return ({ row }) => String(row + 1);
  if (name === 'problem') return ({ result }) => result?.problem ?? '';
  if (name === 'judgement') return ({ result }) => result?.judgement ?? '';
  if (name === 'note') return ({ result }) => result?.note ?? '';
  if (name === 'correction') return ({ result }) => result?.correction ?? '';
  if (name === 'marks') return ({ result }) => marksIn(result?.marks ?? 0).join(', ');
  return ({ result }) => result?.state ?? 'waiting';
}

export const isOfSheet = (column: string) => column.startsWith('sheet ');
const needsResult = (column: string) => column !== 'row' && !isOfSheet(column);

/** What a scan has to read for a search and the other columns it looks at. */
export function needsOf({ filter, search, conditions }: RowSearch, others: readonly string[]) {
  const columns = [...conditions.map(({ column }) => column), ...others];
  return {
    sheet: search !== '' || columns.some(isOfSheet),
    results: search !== '' || filter !== 'all' || columns.some(needsResult),
  };
}

export type Needs = ReturnType<typeof needsOf>;

/** A statement looks at as many rows as take about this long, so that others get their turns in between. */
const statementMilliseconds = 25;
const fewestRows = 1_000;

/** Passes every row of a batch in the order of its sheet. */
export async function scanRows(
  ctx: Context,
  batch: BatchRow,
  { needs, onRow }: { needs: Needs; onRow: (row: ScannedRow) => void },
): Promise<void> {
  const selected = batch.selection && new Set(batch.selection);
  const end = batch.selection ? (batch.selection.at(-1) ?? -1) + 1 : batch.rows;
  const scanned = new ScannedRow(batch.options.outputs);
  const pause = pauseEvery(yieldMilliseconds);
  let step = fewestRows;
  for await (const block of needs.sheet
    ? eachBlockOfLines(ctx, batch.sheet_id, end)
    : emptyBlock(end)) {
    const blockEnd = Math.min(block.first + block.count, end);
    for (let first = block.first; first < blockEnd; ) {
      const last = Math.min(first + step, blockEnd) - 1;
      const startedAt = performance.now();
      const results = needs.results
        ? await listScannedResults(ctx.db, { batchId: batch.id, first, last })
        : [];
      const isQuick = performance.now() - startedAt < statementMilliseconds;
      let at = 0;
      for (let row = first; row <= last; row++) {
        const turn = pause();
        if (turn) await turn;
        while ((results[at]?.row ?? row) < row) at++;
        if (selected && !selected.has(row)) continue;
        const result = results[at]?.row === row ? results[at] : undefined;
        scanned.set(row, block.lines?.[row - block.first], result);
        onRow(scanned);
      }
      if (first + step === last + 1) step = isQuick ? step * 2 : Math.max(fewestRows, step / 2);
      first = last + 1;
    }
  }
}

async function* emptyBlock(count: number) {
  yield { first: 0, count, lines: undefined };
}
