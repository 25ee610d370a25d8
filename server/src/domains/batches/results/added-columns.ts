import { cellsOf, marksIn, outputNames } from '@rowmill/contract';
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
  const answerNames = outputs.length > 0 ? outputNames(outputs) : [texts.answerColumn];
  const blank = answerNames.map(() => '');
  return {
    names: uniqueNames(sheet.columns, [
      ...answerNames,
      texts.problemColumn,
      ...(hasMarks ? [texts.marksColumn] : []),
      ...(hasJudgements ? texts.judgementColumns : []),
      ...(hasTokens ? texts.tokenColumns : []),
    ]),
    /** Which of them says what went wrong. */
    problemAt: answerNames.length,
    cells(result: RowResult | undefined): TableCell[] {
      const answer = answerOf(result) ?? '';
      const answers = cellsOf(answer, outputs) ?? [answer, ...blank.slice(1)];
      const marks = hasMarks ? [marksText(result?.marks)] : [];
      const judged = hasJudgements ? judgementCells(result) : [];
      const counted = hasTokens ? tokenCells(result) : [];
      return [...answers, result?.problem ?? '', ...marks, ...judged, ...counted];
    },
  };
}

/** A correction replaces the answer. Answers that do not fit their columns are not answers. */
export const answerOf = (result: RowResult | undefined) =>
  result?.correction ?? (result?.state === 'answered' ? result.answer : null);

function judgementCells(result: RowResult | undefined): string[] {
  const { judgement, note, correction, answer } = result ?? {};
  return [judgement ?? '', note ?? '', typeof correction === 'string' ? (answer ?? '') : ''];
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
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name} (${number})`;
    taken.add(free);
    return free;
  });
}
