import { cellsOf, marksIn, outputNames } from '@rowmill/contract';
import { firstFree } from '../../../lib/csv/import/column-names.ts';
import type { TableCell } from '../../../lib/xlsx/write-workbook.ts';
import * as texts from '../../../texts/batches.ts';
import type { SheetRow } from '../../files/rules.ts';
import { tokensOf } from '../../prompts/token-columns.ts';
import type { BatchRow } from '../store/batches.ts';
import type { RowResult } from '../store/results.ts';

export interface ResultSource {
  batch: BatchRow;
  sheet: SheetRow;
  /** Adds a column with the marks of each answer. */
  hasMarks: boolean;
  /** Adds judgement, note and, of corrected rows, the answer of the model. */
  hasJudgements: boolean;
  /** Adds what the provider counted for each row. */
  hasTokens: boolean;
}

export type AddedColumns = ReturnType<typeof addedColumns>;

/** What a result file has behind the columns of the sheet. */
export function addedColumns(source: ResultSource) {
  const { batch, sheet, hasMarks, hasJudgements, hasTokens } = source;
  const { outputs } = batch.options;
  const hasColumns = outputs.length > 0;
  const answerNames = hasColumns ? outputNames(outputs) : [texts.answerColumn];
  const originalNames = hasColumns
    ? answerNames.map(texts.originalAnswerOf)
    : [texts.originalAnswer];
  const blank = answerNames.map(() => '');
  const split = (answer: string | null) =>
    cellsOf(answer, outputs) ?? [answer ?? '', ...blank.slice(1)];
  return {
    names: uniqueNames(sheet.columns, [
      ...answerNames,
      texts.problemColumn,
      ...(hasMarks ? [texts.marksColumn] : []),
      ...(hasJudgements ? [...texts.judgementColumns, ...originalNames] : []),
      ...(hasTokens ? texts.tokenColumns : []),
    ]),
    /** Which of them says what went wrong. */
    problemAt: answerNames.length,
    cells(result: RowResult | undefined): TableCell[] {
      const marks = hasMarks ? [marksText(result?.marks)] : [];
      const original = isCorrected(result) ? split(result.answer) : blank;
      const judged = hasJudgements
        ? [result?.judgement ?? '', result?.note ?? '', ...original]
        : [];
      const counted = hasTokens ? tokenCells(result) : [];
      return [...split(answerOf(result)), result?.problem ?? '', ...marks, ...judged, ...counted];
    },
  };
}

/** A correction replaces the answer. Answers that do not fit their columns are not answers. */
export const answerOf = (result: RowResult | undefined) =>
  result?.correction ?? (result?.state === 'answered' ? result.answer : null);

function isCorrected(result: RowResult | undefined): result is RowResult {
  return typeof result?.correction === 'string';
}

const marksText = (bits = 0) =>
  marksIn(bits)
    .map((mark) => mark.replaceAll('_', ' '))
    .join(', ');

function tokenCells(result: RowResult | undefined): TableCell[] {
  const tokens = result && tokensOf(result);
  if (!tokens) return texts.tokenColumns.map(() => '');
  const { input, cached, output, reasoning } = tokens;
  return [input, cached, output, reasoning].map((count) => ({
    type: 'integer',
    text: String(count),
  }));
}

export const textOf = (cell: TableCell) => (typeof cell === 'string' ? cell : cell.text);

/** Numbers the names that a column of the sheet already has. */
function uniqueNames(columns: readonly string[], names: readonly string[]): string[] {
  const taken = new Set(columns);
  return names.map((name) => {
    const free = firstFree(name, (wanted) => !taken.has(wanted));
    taken.add(free);
    return free;
  });
}
