/** The position, from 0, of the row that a person names from 1; what is no row of the sheet becomes the nearest one. */
export function rowIndex(text: string, rows: number): number {
  const number = Math.trunc(Number(text));
  return Math.min(Math.max(Number.isFinite(number) ? number : 1, 1), Math.max(rows, 1)) - 1;
}
