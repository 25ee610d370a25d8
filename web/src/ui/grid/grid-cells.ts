/** A cell by its position; row -1 is the header. */
export interface Cell {
  row: number;
  column: number;
}

/** A range of cells between two corners, both included. */
export interface CellRange {
  first: Cell;
  last: Cell;
}

/** Rows from where a range began to the one that is active, in either direction. */
export interface RowRange {
  from: number;
  to: number;
}

interface Bounds {
  rows: number;
  columns: number;
  /** How many rows Page Up and Page Down pass. */
  page: number;
}

type Move = (cell: Cell, bounds: Bounds, isFar: boolean) => Cell;

/** The keys of the ARIA grid pattern. With Ctrl: the first and last row, and the edges. */
const moves: Record<string, Move> = {
  ArrowDown: ({ row, column }, { rows }, isFar) => ({ row: isFar ? rows - 1 : row + 1, column }),
  ArrowUp: ({ row, column }, _, isFar) => ({ row: isFar ? 0 : row - 1, column }),
  ArrowRight: ({ row, column }, { columns }, isFar) => ({
    row,
    column: isFar ? columns - 1 : column + 1,
  }),
  ArrowLeft: ({ row, column }, _, isFar) => ({ row, column: isFar ? 0 : column - 1 }),
  PageDown: ({ row, column }, { page }) => ({ row: row + page, column }),
  PageUp: ({ row, column }, { page }) => ({ row: Math.max(0, row - page), column }),
  Home: ({ row }, _, isFar) => ({ row: isFar ? 0 : row, column: 0 }),
  End: ({ row }, { rows, columns }, isFar) => ({
    row: isFar ? rows - 1 : row,
    column: columns - 1,
  }),
};

/** The cell that a key moves to; null for a key that does not move. */
export function cellAfterKey(
  key: string,
  { cell, bounds, isFar = false }: { cell: Cell; bounds: Bounds; isFar?: boolean },
): Cell | null {
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
  if (!move || bounds.rows === 0) return null;
  const { row, column } = move(cell, bounds, isFar);
  return {
    row: Math.min(bounds.rows - 1, Math.max(-1, row)),
    column: Math.min(bounds.columns - 1, Math.max(0, column)),
  };
}

export function rangeBetween(one: Cell, other: Cell): CellRange {
  return {
    first: { row: Math.min(one.row, other.row), column: Math.min(one.column, other.column) },
    last: { row: Math.max(one.row, other.row), column: Math.max(one.column, other.column) },
  };
}

/** Every cell, without leading columns such as that of checkboxes. */
export function allCells(rows: number, columns: readonly { isFixed?: boolean }[]): CellRange {
  const first = Math.max(
    0,
    columns.findIndex(({ isFixed }) => !isFixed),
  );
  return { first: { row: 0, column: first }, last: { row: rows - 1, column: columns.length - 1 } };
}

/** Rows of cells as spreadsheets paste them. A single cell is its text, unchanged. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  const [only] = rows;
  if (rows.length === 1 && only?.length === 1) return only[0] ?? '';
  return rows.map((cells) => cells.map(quoteCell).join('\t')).join('\n');
}

function quoteCell(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether a column holds numbers: at least one, and nothing else but blank cells. */
export function isNumericColumn(texts: Iterable<string>): boolean {
  let isNumeric = false;
  for (const text of texts) {
    if (text.trim() === '') continue;
    if (!/^[-+]?(?=\S)[\d., ]*\d ?%?$/.test(text.trim())) return false;
    isNumeric = true;
  }
  return isNumeric;
}

const widths = { least: 88, most: 320, letter: 8, padding: 28 } as const;

/** Wide enough for the longest of some texts, within limits. */
export function widthFor(label: string, texts: Iterable<string>): number {
  let longest = label.length + 2;
  for (const text of texts) longest = Math.max(longest, text.length);
  return Math.round(
    Math.min(widths.most, Math.max(widths.least, longest * widths.letter + widths.padding)),
  );
}
