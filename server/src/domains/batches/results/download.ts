import { Readable } from 'node:stream';
import type { downloadChatGptResponse, ParsedRequestOf } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { FileAnswer } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { csvLine } from '../../../lib/csv/write-csv.ts';
import { workbookRows, writeWorkbook } from '../../../lib/xlsx/write-workbook.ts';
import { eachBlockOfRows } from '../../files/rows.ts';
import type { SheetRow } from '../../files/rules.ts';
import { getSheet } from '../../files/store.ts';
import { answerColumns, splitAnswer } from '../rules.ts';
import { type BatchRow, findBatch } from '../store/batches.ts';
import { listResultsBetween, type RowResult } from '../store/results.ts';

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
  for await (const { first, rows } of eachBlockOfRows(ctx, sheet.id, sheet.rows)) {
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

type Request = ParsedRequestOf<typeof downloadChatGptResponse>;

/** Excel takes a file for UTF-8 when it begins with this. */
const byteOrderMark = '\ufeff';

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/x-ndjson; charset=utf-8',
} as const satisfies Record<Request['format'], string>;

/** Every row of the sheet in its order, then what came of it. It streams, also while the batch runs. */
export async function downloadResults(
  ctx: Context,
  { subjectId }: ActingFor,
  request: Request,
): Promise<FileAnswer> {
  const { file, format, bom } = request;
  const batch = await findBatch(ctx.db, { id: file, userId: subjectId });
  if (!batch) refuse('not_found');
  const source = { batch, sheet: await getSheet(ctx.db, batch.sheet_id) };
  const name = `${source.sheet.name.replace(/\.\w{1,5}$/, '')}-answers.${format}`;
  return { name, type: types[format], content: contentOf(ctx, source, { format, bom }) };
}

function contentOf(
  ctx: Context,
  source: Source,
  { format, bom }: Pick<Request, 'format' | 'bom'>,
): Readable {
  if (format === 'xlsx') return workbook(ctx, source);
  if (format === 'jsonl') return Readable.from(encoded(jsonLines(ctx, source), ''));
  return Readable.from(encoded(csvLines(ctx, source), bom ? byteOrderMark : ''));
}

function workbook(ctx: Context, source: Source): Readable {
  const { header: hasHeader, rows } = source.sheet;
  if (rows + Number(hasHeader) > workbookRows) {
    const format = `A workbook holds ${workbookRows} rows at most, and this sheet has more. Please choose csv or jsonl.`;
    refuse('invalid_input', { fields: { format } });
  }
  return writeWorkbook({
    rows: eachTablePortion(ctx, source),
    hasHeader,
    writtenAt: ctx.clock.now(),
  });
}

/** One string a portion: a stream of single lines would cost more than the lines. */
async function* csvLines(ctx: Context, source: Source): AsyncGenerator<string> {
  const { columns, delimiter } = source.sheet;
  // A sheet of one column has no delimiter of its own.
  const used = columns.length === 1 ? ',' : delimiter;
  for await (const rows of eachTablePortion(ctx, source))
    yield rows.map((cells) => csvLine(cells, used)).join('');
}

/** The header where there is one, then all columns as they were, and behind them the answers. */
async function* eachTablePortion(
  ctx: Context,
  { batch, sheet }: Source,
): AsyncGenerator<string[][]> {
  const { outputs } = batch.options;
  const added = answerColumns(sheet.columns, [
    ...(outputs.length > 0 ? outputs : ['Answer']),
    'Problem',
  ]);
  const noAnswer = added.slice(0, -1).map(() => '');
  if (sheet.header) yield [[...sheet.columns, ...added]];
  for await (const slice of eachSliceWithResults(ctx, { batch, sheet })) {
    yield slice.map(({ cells, result }) => {
      const answers = result?.answer == null ? noAnswer : splitAnswer(result.answer, outputs);
      return [...cells, ...answers, result?.problem ?? ''];
    });
  }
}

async function* jsonLines(ctx: Context, { batch, sheet }: Source): AsyncGenerator<string> {
  for await (const slice of eachSliceWithResults(ctx, { batch, sheet })) {
    let text = '';
    for (const { row, cells, result } of slice) {
      const columns = Object.fromEntries(
        sheet.columns.map((name, index) => [name, cells[index] ?? '']),
      );
      const { state = 'waiting', answer = null, problem = null } = result ?? {};
      text += `${JSON.stringify({ row, columns, state, answer, problem })}\n`;
    }
    yield text;
  }
}

async function* encoded(lines: AsyncGenerator<string>, start: string): AsyncGenerator<Buffer> {
  if (start) yield Buffer.from(start);
  for await (const text of lines) yield Buffer.from(text);
}
