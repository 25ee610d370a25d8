import { Readable } from 'node:stream';
import {
  byteOrderMark,
  type CallRequest,
  cellJson,
  cellsOf,
  csvLine,
  jsonLinesType,
  marksIn,
  type Output,
  outputNames,
  workbookType,
} from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse, refuseField } from '../../../core/refusal.ts';
import { pauseEvery, yieldMilliseconds } from '../../../lib/event-loop.ts';
import {
  maximumWorkbookRows,
  type TableCell,
  writeWorkbook,
} from '../../../lib/xlsx/write-workbook.ts';
import * as texts from '../../../texts/batches.ts';
import { eachBlockOfRows } from '../../files/rows.ts';
import { derivedName } from '../../files/rules.ts';
import { getSheet } from '../../files/store.ts';
import { tokensOf } from '../../prompts/token-columns.ts';
import { selectedRows } from '../slices/sizes.ts';
import { findBatch } from '../store/batches.ts';
import { type FileChanges, saveFileChanges } from '../store/file-changes.ts';
import type { RowResult } from '../store/results.ts';
import { addedColumns, answerOf, type ResultSource, textOf } from './added-columns.ts';
import { ResultReader } from './result-reader.ts';
import { unchangedFile } from './unchanged-file.ts';

type Request = CallRequest<'downloadChatGptResponse'>;

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: workbookType,
  jsonl: `${jsonLinesType}; charset=utf-8`,
} as const satisfies Record<Request['format'], string>;

/** Streams every row of the sheet with its result so far, also while the batch runs. */
export const downloadResults: Handler<'downloadChatGptResponse'> = async (
  ctx,
  { subjectId },
  request,
) => {
  const { file, format, bom, unchanged } = request;
  const batch = await findBatch(ctx.db, { id: file, userId: subjectId });
  if (!batch) refuse('not_found');
  const sheet = await getSheet(ctx.db, batch.sheet_id);
  const source = {
    batch,
    sheet,
    hasMarks: request.marks,
    hasJudgements: request.judgements,
    hasTokens: request.tokens,
  };
  if (unchanged && format !== 'csv') refuseField('unchanged', texts.unchangedIsCsv);
  if (unchanged) return await unchangedFile(ctx, source);
  const name = derivedName(sheet.name, 'answers', { name: batch.name, extension: `.${format}` });
  return { name, type: types[format], content: contentOf(ctx, source, { format, bom }) };
};

function contentOf(
  ctx: Context,
  source: ResultSource,
  { format, bom }: Pick<Request, 'format' | 'bom'>,
): Readable {
  if (format === 'xlsx') return workbook(ctx, source);
  if (format === 'jsonl') return Readable.from(encoded(jsonLines(ctx, source), ''));
  return Readable.from(encoded(csvLines(ctx, source), bom ? byteOrderMark : ''));
}

function workbook(ctx: Context, source: ResultSource): Readable {
  const { header: hasHeader, rows } = source.sheet;
  if (rows + Number(hasHeader) > maximumWorkbookRows)
    refuseField('format', texts.tooManyRowsForWorkbook(maximumWorkbookRows));
  return writeWorkbook({
    rows: eachTableChunk(ctx, source),
    hasHeader,
    writtenAt: ctx.clock.now(),
  });
}

/** Yields many lines at a time, because streaming single lines costs more than making them. */
async function* csvLines(ctx: Context, source: ResultSource): AsyncGenerator<string> {
  const { columns, delimiter } = source.sheet;
  const changes: FileChanges = { apostrophes: 0, replaced: 0 };
  // A sheet with one column has no delimiter.
  const used = columns.length === 1 ? ',' : delimiter;
  for await (const rows of eachTableChunk(ctx, source))
    yield rows.map((cells) => csvLine(cells.map(textOf), used, changes)).join('');
  await saveFileChanges(ctx, source.batch.id, changes);
}

/** The header if there is one, then all original columns followed by the answers. */
async function* eachTableChunk(ctx: Context, source: ResultSource): AsyncGenerator<TableCell[][]> {
  const { sheet } = source;
  const added = addedColumns(source);
  const pause = pauseEvery(yieldMilliseconds);
  if (sheet.header) yield [[...sheet.columns, ...added.names]];
  for await (const chunk of eachChunkWithResults(ctx, source)) {
    const rows: TableCell[][] = [];
    for (const { cells, result } of chunk) {
      await pause();
      rows.push([...cells, ...added.cells(result)]);
    }
    yield rows;
  }
}

async function* jsonLines(ctx: Context, source: ResultSource): AsyncGenerator<string> {
  const { batch, sheet, hasMarks, hasJudgements, hasTokens } = source;
  const selected = selectedRows(batch);
  const isInBatch = (row: number) => (selected ? selected.has(row) : row < batch.rows);
  // In an object, columns named like numbers would come first.
  const names = sheet.columns.map((name) => JSON.stringify(name));
  const columnsJson = (cells: readonly string[]) =>
    `{${names.map((name, index) => `${name}:${JSON.stringify(cells[index] ?? '')}`).join(',')}}`;
  const pause = pauseEvery(yieldMilliseconds);
  for await (const chunk of eachChunkWithResults(ctx, source)) {
    let text = '';
    for (const { row, cells, result } of chunk) {
      await pause();
      const { state = isInBatch(row) ? 'waiting' : null, problem = null } = result ?? {};
      const answer = answerOf(result);
      const marks = hasMarks ? { marks: marksIn(result?.marks ?? 0) } : {};
      const tokens = hasTokens ? { tokens: result ? tokensOf(result) : null } : {};
      const judged = hasJudgements ? judgementFields(result) : {};
      const shown = { state, answer, problem, ...marks, ...judged, ...tokens };
      // The first row is number 1, as on the screen.
      const json = `{"row":${row + 1},"columns":${columnsJson(cells)},${JSON.stringify(shown).slice(1)}`;
      text += `${withValues(json, valuesJson(answer, batch.options.outputs))}\n`;
    }
    yield text;
  }
}

function judgementFields(result: RowResult | undefined) {
  const { judgement = null, note = null, correction = null, answer = null } = result ?? {};
  return { judgement, note, original_answer: correction === null ? null : answer };
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

async function* eachChunkWithResults(ctx: Context, { batch, sheet }: ResultSource) {
  const results = new ResultReader(ctx, batch.id);
  for await (const { first, rows } of eachBlockOfRows(ctx, sheet.id, sheet.rows))
    yield* results.read(rows.map((cells, index) => ({ row: first + index, cells })));
  await results.end();
}
