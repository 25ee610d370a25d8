import {
  type Judgement,
  judgements,
  type RowCondition,
  type RowFilter,
  type RowSort,
  rowFilters,
  rowOrders,
  rowSearch,
  rowSort,
} from '@rowmill/contract';
import * as z from 'zod/mini';
import { oneOf, pageStart, searchText } from '../../../lib/hooks/use-search-state.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';

/** A search takes eight conditions, and the judgement is one of them. */
const maximumConditions = 7;

/** How the rows are sorted, as the address says it: "sheet 0 descending". */
export const sortText = (text: string | null) => (sortOf(text ?? '') ? (text ?? '') : '');

export function sortOf(text: string): RowSort | null {
  const end = text.lastIndexOf(' ');
  const parsed = z.safeParse(rowSort, { column: text.slice(0, end), order: text.slice(end + 1) });
  return parsed.success ? parsed.data : null;
}

/** The first press on a head sorts up, the second down, the third as in the sheet. */
export function nextSort(sort: RowSort | null, column: string): string {
  if (sort?.column !== column) return `${column} ascending`;
  return sort.order === 'ascending' ? `${column} descending` : '';
}

/** The conditions of columns, as the address says them: `[["sheet 0","contains","blue"]]`. */
export const whereText = (text: string | null) => textOf(conditionsOf(text ?? ''));

export function textOf(conditions: readonly RowCondition[]): string {
  if (conditions.length === 0) return '';
  return JSON.stringify(conditions.map(({ column, is, value }) => [column, is, value]));
}

/** Nonsense in an address counts as no condition. */
export function conditionsOf(text: string): RowCondition[] {
  try {
    const listed = (JSON.parse(text) as unknown[][])
      .slice(0, maximumConditions)
      .map(([column, is, value]) => ({ column, is, value }));
    const parsed = z.safeParse(rowSearch.conditions, listed);
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

/** One condition a column: a new one takes the place of the one before. */
export function withCondition(
  conditions: readonly RowCondition[],
  { column, condition }: { column: string; condition: RowCondition | null },
): RowCondition[] {
  const others = conditions.filter((other) => other.column !== column);
  return condition ? [...others, condition].slice(-maximumConditions) : others;
}

/** `row` is the number of the open row, from 1; none is 0. */
export const rowState = {
  rows: oneOf(rowFilters, 'all'),
  search: searchText,
  row: pageStart,
  judged: oneOf(judgements, null),
  sort: sortText,
  where: whereText,
};

interface Shown {
  rows: RowFilter;
  search: string;
  judged: Judgement | null;
  where: string;
}

/** Which rows an address shows. */
export function searchOf({ rows, search, judged, where }: Shown) {
  const conditions: RowCondition[] = conditionsOf(where);
  if (judged) conditions.push({ column: 'judgement', is: 'equals', value: judged });
  return { filter: rows, search, conditions };
}

type Orders = Partial<Record<(typeof rowOrders)[number], string>>;

/** Numbers are sorted by value; few people want those with the most digits. */
export function ordersFor(column: { isNumeric?: boolean | undefined } | undefined) {
  const orders: Orders = column?.isNumeric ? rowTexts.numberOrders : rowTexts.orders;
  return rowOrders.flatMap((order) => {
    const text = orders[order];
    return text ? [[order, text] as const] : [];
  });
}
