import {
  type AnswerColumn,
  answerMarks,
  asColumn,
  bitOf,
  isRowState,
  normalised,
  type Output,
  type RowCondition,
  type RowSearch,
} from '@rowmill/contract';
import { searched } from '../../../lib/search.ts';
import {
  hasMark,
  hasState,
  includesText,
  type ResultTest,
  type ScannedColumn,
} from '../store/scanned-results.ts';
import { isOfSheet, readerOf, type ScannedRow } from './scanned-row.ts';

interface RowTest {
  passes: (row: ScannedRow) => boolean;
  /** Columns of the grid that it reads. */
  columns: readonly string[];
  /** Passes all rows of the test, and perhaps others. Absent if rows without result can pass. */
  inDatabase?: ResultTest;
}

/** How the rows of a search are found, with as little of each row as possible. */
export type ScanPlan = ReturnType<typeof planScan>;

/**
 * `others` are columns to read of every found row. Texts are searched here: the database takes
 * longer to fold their case than to return them.
 */
export function planScan(
  { filter, search, conditions }: RowSearch,
  { outputs, others }: { outputs: readonly Output[]; others: readonly string[] },
) {
  const tests = [
    ...(filter === 'all' ? [] : [filterTest(filter)]),
    ...conditions.map((condition) => conditionTest(condition, outputs)),
    ...(search === '' ? [] : [searchTest(search, outputs)]),
  ];
  const read = [...tests.flatMap(({ columns }) => columns), ...others];
  const where = tests.flatMap(({ inDatabase }) => inDatabase ?? []);
  const columns = columnsOf(read);
  return {
    readsSheet: search !== '' || read.some(isOfSheet),
    /** Null when no result is needed. */
    results: where.length === 0 && columns.size === 0 ? null : { where, columns },
    /** Rows that the database does not return cannot be found. */
    onlyReturned: where.length > 0,
    isFound: (row: ScannedRow) => tests.every(({ passes }) => passes(row)),
  };
}

function columnsOf(columns: readonly string[]): Set<ScannedColumn> {
  return new Set(
    columns.flatMap((column): ScannedColumn[] => {
      if (column === 'row' || isOfSheet(column)) return [];
      return [column.startsWith('answer ') ? 'answer' : (column as ScannedColumn)];
    }),
  );
}

const decided = (inDatabase: ResultTest): RowTest => ({
  passes: () => true,
  columns: [],
  inDatabase,
});

function filterTest(filter: RowSearch['filter']): RowTest {
  const bits = bitsOfFilter(filter);
  if (bits !== 0) return decided(hasMark(bits));
  if (isRowState(filter)) return decided(hasState(filter));
  return { passes: ({ state }) => state === filter, columns: ['state'] };
}

/** The marks that a filter finds. */
function bitsOfFilter(filter: RowSearch['filter']): number {
  if (filter === 'marked') return 2 ** answerMarks.length - 1;
  const mark = answerMarks.find((name) => name === filter);
  return mark ? bitOf(mark) : 0;
}

function conditionTest(condition: RowCondition, outputs: readonly Output[]): RowTest {
  const { is, value } = condition;
  if (condition.column === 'state' && is === 'equals' && isRowState(value))
    return decided(hasState(value));
  const isAnswer = condition.column === 'answer 0' && outputs.length === 0;
  const column = isAnswer && is === 'contains' ? 'answer_start' : condition.column;
  const equalled = isAnswer ? 'answer' : texts.find((text) => text === column);
  return {
    passes: testOf({ ...condition, column }, outputs),
    columns: [column],
    inDatabase:
      equalled && is === 'equals' && value.trim() !== '' && isAscii(value)
        ? includesText(equalled, value)
        : undefined,
  };
}

const texts = ['problem', 'judgement', 'note', 'correction'] as const;

function testOf(
  { column, is, value }: RowCondition,
  outputs: readonly Output[],
): RowTest['passes'] {
  const read = readerOf(column);
  if (is === 'empty') return (row) => read(row).trim() === '';
  if (is === 'filled') return (row) => read(row).trim() !== '';
  const contains = containing(value);
  const compose = composerFor(value);
  const passes: RowTest['passes'] =
    is === 'equals' ? (row) => compose(read(row).trim()) === value : (row) => contains(read(row));
  const mayPass = quickTest(column, { value, outputs });
  return mayPass && value !== '' ? (row) => mayPass(row) && passes(row) : passes;
}

/** Finds every row with the value, and some others. Most rows then need not be parsed. */
function quickTest(
  column: string,
  { value, outputs }: { value: string; outputs: readonly Output[] },
): RowTest['passes'] | undefined {
  if (isOfSheet(column)) return mayBeInLine(value);
  const [name, position] = column.split(' ');
  const output = name === 'answer' ? outputs[Number(position)] : undefined;
  return output === undefined ? undefined : mayBeInAnswer(value, [output]);
}

/** Absent if a column may show the value in other words than the answer has. */
function mayBeInAnswer(value: string, outputs: readonly Output[]): RowTest['passes'] | undefined {
  if (outputs.some((output) => mayBeReworded(value.toLowerCase(), asColumn(output))))
    return undefined;
  const mayContain = mayBeIn(value);
  // Numbers and lists of JSON may be shown with other characters, and so may all that is escaped.
  const isVerbatim = !/["\d[\]{}:,+.-]/.test(value);
  return (row) => {
    const answer = row.text('answer');
    if (row.longAnswer || mayContain(answer) || answer.includes('\\')) return true;
    return !isVerbatim && hasOtherThanTexts.test(answer);
  };
}

/** Other columns than text show plain numbers, days, Yes or No, and options. */
function mayBeReworded(value: string, { type, options = [] }: AnswerColumn): boolean {
  if (type === 'text') return false;
  if (type === 'boolean') return ['yes', 'no'].some((word) => word.includes(value));
  if (type === 'choice' || type === 'choices')
    return value.includes(',') || options.some((option) => option.toLowerCase().includes(value));
  return /^[-\d.]*$/.test(value);
}

const hasOtherThanTexts = /[:[,]\s*[-\d{[]/;

/** An answer in columns is searched as the grid shows it, and not in the JSON that it is. */
function searchTest(search: string, outputs: readonly Output[]): RowTest {
  const contains = containing(search);
  const mayContain = mayBeInLine(search);
  const mayBeInColumns = mayBeInAnswer(search, outputs) ?? (() => true);
  const isInAnswer = (row: ScannedRow) =>
    outputs.length > 0 && row.text('answer') !== ''
      ? mayBeInColumns(row) && row.answers.some(contains)
      : contains(row.text('stored_answer'));
  return {
    passes: (row) =>
      (mayContain(row) && row.cells.some(contains)) ||
      isInAnswer(row) ||
      contains(row.text('note')) ||
      contains(row.text('problem')),
    columns: ['stored_answer', 'note', 'problem', ...(outputs.length > 0 ? ['answer'] : [])],
  };
}

/** In any case. `value` is in NFC, as the fields of requests are. */
function containing(value: string) {
  const wanted = value.toLowerCase();
  const compose = composerFor(value);
  return (text: string) =>
    compose(text.slice(0, searched.characters)).toLowerCase().includes(wanted);
}

/** Finds every text that contains the value, and some others. Long texts are not composed. */
function mayBeIn(value: string) {
  const wanted = value.toLowerCase();
  const isSame = isAscii(value);
  return (text: string) => text.toLowerCase().includes(wanted) || (!isSame && marks.test(text));
}

function mayBeInLine(value: string): RowTest['passes'] {
  const mayContain = mayBeIn(JSON.stringify(value).slice(1, -1));
  return ({ line = '' }) => mayContain(line);
}

/** Cells and answers are stored as they come: an accent may be a mark after its letter. */
export const composed = (text: string) => (marks.test(text) ? normalised(text) : text);

/** An ASCII value is the same in both forms, and to look for marks takes longer than to search. */
const composerFor = (value: string) => (isAscii(value) ? (text: string) => text : composed);

/** Also the parts of Korean syllables. */
const marks = /[\p{M}\u1160-\u11ff]/u;

// biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII
const isAscii = (text: string) => /^[\u0000-\u007f]*$/.test(text);
