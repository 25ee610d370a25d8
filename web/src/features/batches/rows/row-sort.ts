import type { RowSort } from '@rowmill/contract';

/** How the rows are sorted, as the address says it: "sheet 0 descending". */
export function sortText(text: string | null): string {
  return /^(?:row|state|(?:sheet|answer) \d{1,4}) (?:ascending|descending)$/.test(text ?? '')
    ? (text ?? '')
    : '';
}

export function sortOf(text: string): RowSort | null {
  const [, column, order] = /^(.+) (ascending|descending)$/.exec(text) ?? [];
  return column && order ? { column, order: order as RowSort['order'] } : null;
}

/** A press on a head sorts upwards, the next one downwards, the third takes the order of the sheet. */
export function nextSort(sort: RowSort | null, column: string): string {
  if (sort?.column !== column) return `${column} ascending`;
  return sort.order === 'ascending' ? `${column} descending` : '';
}
