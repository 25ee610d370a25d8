import type { RowCondition, RowSearch } from '@rowmill/contract';
import { searched } from '../../../lib/search.ts';
import { bitsOfFilter } from '../store/results.ts';
import { isOfSheet, readerOf, type ScannedRow } from './scan-rows.ts';

type RowTest = (row: ScannedRow) => boolean;

/** Whether a row belongs to what was searched for. */
export function testFor({ filter, search, conditions }: RowSearch): RowTest {
  const tests = [
    ...(filter === 'all' ? [] : [passesFilter(filter)]),
    ...conditions.map(testOf),
    ...(search === '' ? [] : [containsAnywhere(search)]),
  ];
  return (row) => tests.every((test) => test(row));
}

function passesFilter(filter: RowSearch['filter']): RowTest {
  const bits = bitsOfFilter(filter);
  if (bits !== 0) return ({ result }) => ((result?.marks ?? 0) & bits) !== 0;
  return ({ result }) => (result?.state ?? 'waiting') === filter;
}

function testOf({ column, is, value }: RowCondition): RowTest {
  const read = readerOf(column);
  if (is === 'empty') return (row) => read(row).trim() === '';
  if (is === 'filled') return (row) => read(row).trim() !== '';
  if (is === 'equals') return (row) => read(row).trim() === value;
  const contains = containing(value);
  if (!isOfSheet(column)) return (row) => contains(read(row));
  // Most rows need not be parsed.
  const mayContain = containing(JSON.stringify(value).slice(1, -1), Infinity);
  return (row) => mayContain(row.line ?? '') && contains(read(row));
}

function containsAnywhere(search: string): RowTest {
  const contains = containing(search);
  const mayContain = containing(JSON.stringify(search).slice(1, -1), Infinity);
  return (row) =>
    (mayContain(row.line ?? '') && row.cells.some(contains)) ||
    contains(row.result?.correction ?? row.result?.answer ?? '') ||
    contains(row.result?.note ?? '') ||
    contains(row.result?.problem ?? '');
}

function containing(value: string, characters: number = searched.characters) {
  const wanted = value.toLowerCase();
  return (text: string) => text.slice(0, characters).toLowerCase().includes(wanted);
}
