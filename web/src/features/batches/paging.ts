/** The pages that hold the items from first to last. */
export function pagesOver(first: number, last: number, limit: number): number[] {
  const from = Math.floor(Math.max(0, first) / limit);
  const to = Math.floor(Math.max(0, last) / limit);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

const moves: Record<string, (row: number, screen: number) => number> = {
  ArrowDown: (row) => row + 1,
  ArrowUp: (row) => row - 1,
  PageDown: (row, screen) => row + screen,
  PageUp: (row, screen) => row - screen,
  Home: () => 0,
  End: () => Number.MAX_SAFE_INTEGER,
};

interface Place {
  row: number;
  total: number;
  /** How many rows fit on the screen. */
  screen: number;
}

/** Where a key leads in a table of rows; null for a key that does not move. */
export function moveTo(key: string, { row, total, screen }: Place): number | null {
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
  if (!move || total === 0) return null;
  return Math.min(total - 1, Math.max(0, move(row, screen)));
}
