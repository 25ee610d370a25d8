import { Readable } from 'node:stream';
import type { downloadChatGptResponse, ParsedRequestOf } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import type { FileAnswer } from '../../handlers.ts';
import { csvLine } from '../../lib/csv/write-csv.ts';
import { refuse } from '../../refusal.ts';
import { eachSliceOfRows } from '../files/read-sheet-rows.ts';
import type { SheetRow } from '../files/rules.ts';
import { getSheet } from '../files/store.ts';
import { answerColumns, splitAnswer } from './rules.ts';
import { type BatchRow, findBatch } from './store/batches.ts';
import { listResultsBetween, type RowResult } from './store/results.ts';

type Request = ParsedRequestOf<typeof downloadChatGptResponse>;

/** Excel takes a file for UTF-8 when it begins with this. */
const byteOrderMark = '\ufeff';

/** Every row of the sheet in its order, then what came of it. It streams, also while the batch runs. */
export async function downloadResults(ctx: Context, { subjectId }: Acting, request: Request): Promise<FileAnswer> {
  const { file, format, bom } = request;
  const batch = await findBatch(ctx.db, { id: file, userId: subjectId });
  if (!batch) refuse('not_found');
  if (format === 'xlsx')
    refuse('invalid_input', { fields: { format: 'Excel files are not there yet. Please choose csv or jsonl.' } });
  const sheet = await getSheet(ctx.db, batch.sheet_id);
  const name = `${sheet.name.replace(/\.\w{1,5}$/, '')}-answers.${format}`;
  const lines = format === 'csv' ? csvLines(ctx, { batch, sheet }) : jsonLines(ctx, { batch, sheet });
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8';
  return { name, type, content: Readable.from(encoded(lines, bom && format === 'csv' ? byteOrderMark : '')) };
}

interface Source {
  batch: BatchRow;
  sheet: SheetRow;
}

/** One string a slice: a stream of single lines would cost more than the lines. */
async function* csvLines(ctx: Context, { batch, sheet }: Source): AsyncGenerator<string> {
  const { outputs } = batch.options;
  const added = answerColumns(sheet.columns, [...(outputs.length > 0 ? outputs : ['Answer']), 'Problem']);
  // A sheet of one column has no delimiter of its own.
  const delimiter = sheet.columns.length === 1 ? ',' : sheet.delimiter;
  if (sheet.header) yield csvLine([...sheet.columns, ...added], delimiter);
  for await (const slice of eachSliceWithResults(ctx, { batch, sheet })) {
    let text = '';
    for (const { cells, result } of slice) {
      const answers = result?.answer == null ? added.slice(0, -1).map(() => '') : splitAnswer(result.answer, outputs);
      text += csvLine([...cells, ...answers, result?.problem ?? ''], delimiter);
    }
    yield text;
  }
}

async function* jsonLines(ctx: Context, { batch, sheet }: Source): AsyncGenerator<string> {
  for await (const slice of eachSliceWithResults(ctx, { batch, sheet })) {
    let text = '';
    for (const { row, cells, result } of slice) {
      const columns = Object.fromEntries(sheet.columns.map((name, index) => [name, cells[index] ?? '']));
      const { state = 'waiting', answer = null, problem = null } = result ?? {};
      text += `${JSON.stringify({ row, columns, state, answer, problem })}\n`;
    }
    yield text;
  }
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

async function* eachSliceWithResults(ctx: Context, { batch, sheet }: Source): AsyncGenerator<RowWithResult[]> {
  let step = rowsAtFirst;
  for await (const { first, rows } of eachSliceOfRows(ctx, sheet.id, sheet.rows)) {
    for (let at = 0; at < rows.length; ) {
      const some = rows.slice(at, at + step);
      const range = { batchId: batch.id, first: first + at, last: first + at + some.length - 1 };
      const results = await listResultsBetween(ctx.db, range);
      yield withResults(some, range.first, results);
      at += some.length;
      const length = results.reduce((sum, { answer }) => sum + (answer?.length ?? 0), 0);
      step = length > roomyLength ? Math.max(1, Math.ceil((some.length * roomyLength) / length)) : Math.min(rowsAtMost, step * 2);
    }
  }
}

function withResults(rows: readonly string[][], first: number, results: readonly RowResult[]): RowWithResult[] {
  const byRow = new Map(results.map((result) => [result.row, result]));
  return rows.map((cells, index) => ({ row: first + index, cells, result: byRow.get(first + index) }));
}

async function* encoded(lines: AsyncGenerator<string>, start: string): AsyncGenerator<Buffer> {
  if (start) yield Buffer.from(start);
  for await (const text of lines) yield Buffer.from(text);
}
