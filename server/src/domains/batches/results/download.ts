import { Readable } from 'node:stream';
import {
  cellJson,
  cellsOf,
  type downloadChatGptResponse,
  marksIn,
  type Output,
  outputNames,
  type ParsedRequestOf,
} from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { FileAnswer } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { csvLine } from '../../../lib/csv/write-csv.ts';
import { pauseEvery, yieldMilliseconds } from '../../../lib/pause.ts';
import {
  maximumWorkbookRows,
  type TableCell,
  writeWorkbook,
} from '../../../lib/xlsx/write-workbook.ts';
import * as texts from '../../../texts/batches.ts';
import { eachBlockOfRows } from '../../files/rows.ts';
import type { SheetRow } from '../../files/rules.ts';
import { getSheet } from '../../files/store.ts';
import { tokensOf } from '../../prompts/token-columns.ts';
import { type BatchRow, findBatch } from '../store/batches.ts';
import { listResultsBetween, type RowResult } from '../store/results.ts';

type Request = ParsedRequestOf<typeof downloadChatGptResponse>;

interface Source {
  batch: BatchRow;
  sheet: SheetRow;
  hasMarks: boolean;
  /** What the provider counted is wanted too. */
  hasTokens: boolean;
}

/** Excel reads a file as UTF-8 only when it begins with this. */
const byteOrderMark = '\ufeff';

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/x-ndjson; charset=utf-8',
} as const satisfies Record<Request['format'], string>;

/** Streams every row of the sheet in its order with its result so far, also while the batch is running. */
export async function downloadResults(
  ctx: Context,
  { subjectId }: ActingFor,
  request: Request,
): Promise<FileAnswer> {
  const { file, format, bom, marks: hasMarks, tokens: hasTokens } = request;
  const batch = await findBatch(ctx.db, { id: file, userId: subjectId });
  if (!batch) refuse('not_found');
  const sheet = await getSheet(ctx.db, batch.sheet_id);
  const source = { batch, sheet, hasMarks, hasTokens };
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
  if (rows + Number(hasHeader) > maximumWorkbookRows)
    refuse('invalid_input', {
      fields: { format: texts.tooManyRowsForWorkbook(maximumWorkbookRows) },
    });
  return writeWorkbook({
    rows: eachTableChunk(ctx, source),
    hasHeader,
    writtenAt: ctx.clock.now(),
  });
}

/** Yields many lines at a time, because streaming single lines costs more than making them. */
async function* csvLines(ctx: Context, source: Source): AsyncGenerator<string> {
  const { columns, delimiter } = source.sheet;
  // A sheet with one column has no delimiter of its own.
  const used = columns.length === 1 ? ',' : delimiter;
  for await (const rows of eachTableChunk(ctx, source))
    yield rows.map((cells) => csvLine(cells.map(textOf), used)).join('');
}

const textOf = (cell: TableCell) => (typeof cell === 'string' ? cell : cell.text);

/** The header if there is one, then all original columns followed by the answers. */
async function* eachTableChunk(
  ctx: Context,
  { batch, sheet, hasMarks, hasTokens }: Source,
): AsyncGenerator<TableCell[][]> {
  const { outputs } = batch.options;
  const answerNames = outputs.length > 0 ? outputNames(outputs) : [texts.answerColumn];
  const added = uniqueNames(sheet.columns, [
    ...answerNames,
    texts.problemColumn,
    ...(hasMarks ? [texts.marksColumn] : []),
    ...(hasTokens ? texts.tokenColumns : []),
  ]);
  const blank = answerNames.map(() => '');
  const pause = pauseEvery(yieldMilliseconds);
  if (sheet.header) yield [[...sheet.columns, ...added]];
  for await (const chunk of eachChunkWithResults(ctx, { batch, sheet })) {
    const rows: TableCell[][] = [];
    for (const { cells, result } of chunk) {
      await pause();
      const answer = result?.answer ?? '';
      const answers = cellsOf(answer, outputs) ?? [answer, ...blank.slice(1)];
      const marks = hasMarks ? [marksText(result?.marks)] : [];
      const counted = hasTokens ? tokenCells(result) : [];
      rows.push([...cells, ...answers, result?.problem ?? '', ...marks, ...counted]);
    }
    yield rows;
  }
}

const marksText = (bits = 0) =>
  marksIn(bits)
    .map((mark) => mark.replaceAll('_', ' '))
    .join(', ');
function tokenCells(result: RowResult | undefined): string[] {
  const tokens = result && tokensOf(result);
  if (!tokens) return texts.tokenColumns.map(() => '');
  return [tokens.input, tokens.cached, tokens.output, tokens.reasoning].map(String);
}

/** Numbers the names that a column of the sheet already has. */
function uniqueNames(columns: readonly string[], names: readonly string[]): string[] {
  const taken = new Set(columns);
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name} (${number})`;
    taken.add(free);
    return free;
  });
}

async function* jsonLines(
  ctx: Context,
  { batch, sheet, hasMarks, hasTokens }: Source,
): AsyncGenerator<string> {
  const pause = pauseEvery(yieldMilliseconds);
  for await (const chunk of eachChunkWithResults(ctx, { batch, sheet })) {
    let text = '';
    for (const { row, cells, result } of chunk) {
      await pause();
      const columns = Object.fromEntries(
        sheet.columns.map((name, index) => [name, cells[index] ?? '']),
      );
      const { state = 'waiting', answer = null, problem = null } = result ?? {};
      const marks = hasMarks ? { marks: marksIn(result?.marks ?? 0) } : {};
      const tokens = hasTokens ? { tokens: result ? tokensOf(result) : null } : {};
      const shown = { state, answer, problem, ...marks, ...tokens };
      // The first row is number 1, as on the screen.
      const json = JSON.stringify({ row: row + 1, columns, ...shown });
      text += `${withValues(json, valuesJson(answer, batch.options.outputs))}\n`;
    }
    yield text;
  }
}

/** The values of the answer columns as JSON text, so that a long number keeps its digits. */
function valuesJson(answer: string | null, outputs: readonly Output[]): string | null {
  const names = outputNames(outputs);
  const cells = cellsOf(answer, outputs);
  if (!cells) return outputs.length > 0 ? 'null' : null;
  const fields = cells.map((cell, index) => `${JSON.stringify(names[index])}:${cellJson(cell)}`);
  return `{${fields.join(',')}}`;
}

function withValues(json: string, values: string | null): string {
  return values === null ? json : `${json.slice(0, -1)},"values":${values}}`;
}

async function* encoded(lines: AsyncGenerator<string>, start: string): AsyncGenerator<Buffer> {
  if (start) yield Buffer.from(start);
  for await (const text of lines) yield Buffer.from(text);
}

interface RowWithResult {
  row: number;
  cells: string[];
  result: RowResult | undefined;
}

/** An answer may have a few bytes or a megabyte, so the rows per query are adapted to keep the answers near 64 KiB. */
const rowsAtFirst = 32;
const maximumRows = 256;
const targetLength = 64 * 1024;

async function* eachChunkWithResults(
  ctx: Context,
  { batch, sheet }: Pick<Source, 'batch' | 'sheet'>,
): AsyncGenerator<RowWithResult[]> {
  let step = rowsAtFirst;
  for await (const block of eachBlockOfRows(ctx, sheet.id, sheet.rows)) {
    for (let at = 0; at < block.rows.length; ) {
      const rows = block.rows.slice(at, at + step);
      const first = block.first + at;
      const last = first + rows.length - 1;
      const results = await listResultsBetween(ctx.db, { batchId: batch.id, first, last });
      const byRow = new Map(results.map((result) => [result.row, result]));
      yield rows.map((cells, index) => ({
        row: first + index,
        cells,
        result: byRow.get(first + index),
      }));
      at += rows.length;
      const length = results.reduce((sum, { answer }) => sum + (answer?.length ?? 0), 0);
      step =
        length > targetLength
          ? Math.max(1, Math.ceil((rows.length * targetLength) / length))
          : Math.min(maximumRows, step * 2);
    }
  }
}
