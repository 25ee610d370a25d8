import {
  asColumn,
  isRowState,
  type Output,
  type RowCondition,
  type RowSearch,
} from '@rowmill/contract';
import { searched } from '../../../lib/search.ts';
import { bitsOfFilter } from '../store/results.ts';
import {
  allOf,
  anyOf,
  containsText,
  equalsText,
  hasMark,
  hasState,
  isFilled,
  type ResultScan,
  type ResultTest,
  type ScannedColumn,
} from '../store/scanned-results.ts';
import { isOfSheet, readerOf, type ScannedRow } from './scanned-row.ts';

interface RowTest {
  passes: (row: ScannedRow) => boolean;
  /** Columns of the grid. */
  columns: readonly string[];
  /** Absent when the database cannot decide it, or a row without a result can pass. */
  inDatabase?: ResultTest;
}

/** How the rows of a search are found, with as little of each row as possible. */
export interface ScanPlan {
  readsSheet: boolean;
  /** Null when no result is needed. */
  results: ResultScan | null;
  /** Rows that the database does not return cannot be found. */
  onlyReturned: boolean;
  isFound: (row: ScannedRow) => boolean;
}

/** `others` are columns that are read of every row that is found. */
export function planScan(
  { filter, search, conditions }: RowSearch,
  { outputs, others }: { outputs: readonly Output[]; others: readonly string[] },
): ScanPlan {
  const tests = [
    ...(filter === 'all' ? [] : [filterTest(filter)]),
    ...conditions.map((condition) => conditionTest(condition, outputs)),
  ];
  const open = tests.filter(({ inDatabase }) => !inDatabase);
  const decided = tests.filter(({ inDatabase }) => inDatabase);
  const searches = search === '' ? [] : [searchTest(search)];
  const always = columnsOf([...open.flatMap(({ columns }) => columns), ...others]);
  const inDatabase = [...decided, ...searches].flatMap(({ inDatabase }) => inDatabase ?? []);
  // A row that the search does not find in its result may have it in its sheet.
  const where = decided.length > 0 || always.size > 0 ? decided : searches;
  const unsure = [...decided, ...searches];
  const sheetColumns = [...tests.flatMap(({ columns }) => columns), ...others].filter(isOfSheet);
  return {
    readsSheet: search !== '' || sheetColumns.length > 0,
    results:
      inDatabase.length === 0 && always.size === 0
        ? null
        : {
            where: allOf(where.flatMap(({ inDatabase }) => inDatabase ?? [])),
            decided: inDatabase.length === 0 ? null : allOf(inDatabase),
            always,
            whenUnsure: columnsOf(unsure.flatMap(({ columns }) => columns)),
          },
    onlyReturned: decided.length > 0,
    isFound: (row) =>
      open.every(({ passes }) => passes(row)) &&
      (row.isSure || unsure.every(({ passes }) => passes(row))),
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

function filterTest(filter: RowSearch['filter']): RowTest {
  const bits = bitsOfFilter(filter);
  if (bits !== 0)
    return {
      passes: ({ marks }) => (marks & bits) !== 0,
      columns: ['marks'],
      inDatabase: hasMark(bits),
    };
  return {
    passes: ({ state }) => state === filter,
    columns: ['state'],
    inDatabase: isRowState(filter) ? hasState(filter) : undefined,
  };
}

function conditionTest(condition: RowCondition, outputs: readonly Output[]): RowTest {
  return {
    passes: testOf(condition, outputs),
    columns: [condition.column],
    inDatabase: databaseTest(condition, outputs),
  };
}

function databaseTest(
  { column, is, value }: RowCondition,
  outputs: readonly Output[],
): ResultTest | undefined {
  if (is === 'empty' || (is !== 'filled' && value.trim() === '')) return undefined;
  if (column === 'state' && is === 'equals') return isRowState(value) ? hasState(value) : undefined;
  const testText = (column: Parameters<typeof isFilled>[0]) => {
    if (is === 'filled') return isFilled(column);
    return is === 'equals' ? equalsText(column, value) : containsText(column, value);
  };
  if (column === 'answer 0' && outputs.length === 0) return testText('answer');
  const isText =
    column === 'problem' || column === 'judgement' || column === 'note' || column === 'correction';
  return isText ? testText(column) : undefined;
}

function testOf(
  { column, is, value }: RowCondition,
  outputs: readonly Output[],
): RowTest['passes'] {
  const read = readerOf(column);
  if (is === 'empty') return (row) => read(row).trim() === '';
  if (is === 'filled') return (row) => read(row).trim() !== '';
  const contains = containing(value);
  const passes: RowTest['passes'] =
    is === 'equals' ? (row) => read(row).trim() === value : (row) => contains(read(row));
  const mayPass = quickTest(column, { value, outputs });
  return mayPass && value !== '' ? (row) => mayPass(row) && passes(row) : passes;
}

/** Finds every row whose column contains the value, and some others. Most rows then need not be parsed. */
function quickTest(
  column: string,
  { value, outputs }: { value: string; outputs: readonly Output[] },
): RowTest['passes'] | undefined {
  if (isOfSheet(column)) {
    const mayContain = containing(JSON.stringify(value).slice(1, -1), Infinity);
    return (row) => mayContain(row.line ?? '');
  }
  const [name, position] = column.split(' ');
  const output = name === 'answer' ? outputs[Number(position)] : undefined;
  if (output === undefined || asColumn(output).type !== 'text') return undefined;
  const contains = containing(value, Infinity);
  // Numbers and lists of JSON may be shown with other characters, and so may all that is escaped.
  const isVerbatim = !/["\d[\]{}:,+.-]/.test(value);
  return (row) => {
    const answer = row.text('answer');
    if (contains(answer) || answer.includes('\\')) return true;
    return !isVerbatim && hasOtherThanTexts.test(answer);
  };
}

const hasOtherThanTexts = /[:[,]\s*[-\d{[]/;

const searchedTexts = ['stored_answer', 'note', 'problem'] as const;

function searchTest(search: string): RowTest {
  const contains = containing(search);
  const mayContain = containing(JSON.stringify(search).slice(1, -1), Infinity);
  return {
    passes: (row) =>
      (mayContain(row.line ?? '') && row.cells.some(contains)) ||
      searchedTexts.some((column) => contains(row.text(column))),
    columns: searchedTexts,
    inDatabase: anyOf(searchedTexts.map((column) => containsText(column, search))),
  };
}

function containing(value: string, characters: number = searched.characters) {
  const wanted = value.toLowerCase();
  return (text: string) => text.slice(0, characters).toLowerCase().includes(wanted);
}
