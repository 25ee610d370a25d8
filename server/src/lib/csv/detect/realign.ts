import { looksLikeData } from './header.ts';

/** How the cells of a column usually are. */
export type ColumnProfile = ReturnType<typeof profileColumns>[number];

const usualShare = 0.8;

export function profileColumns(rows: readonly string[][], width: number) {
  const whole = rows.filter(({ length }) => length === width);
  const most = whole.length * usualShare;
  return Array.from({ length: whole.length > 0 ? width : 0 }, (_, column) => {
    const cells = whole.map((cells) => cells[column]?.trim() ?? '').filter((cell) => cell !== '');
    return { isData: cells.filter(looksLikeData).length >= most, isFilled: cells.length >= most };
  });
}

/**
 * A row with one cell too many often has an empty cell from a surplus delimiter. Returns the
 * others, or null when no place or more than one is clearly the best.
 */
export function withoutSurplus(
  cells: readonly string[],
  profile: readonly ColumnProfile[],
): string[] | null {
  if (profile.length < 3 || cells.length !== profile.length + 1) return null;
  let best: { row: string[]; score: number } | null = null;
  let isTied = false;
  for (const [at, cell] of cells.entries()) {
    if (cell.trim() !== '') continue;
    const row = cells.toSpliced(at, 1);
    const score = row.filter((text, column) => fits(text, profile[column])).length;
    if (best && score === best.score && row.join('\0') !== best.row.join('\0')) isTied = true;
    if (best && score <= best.score) continue;
    best = { row, score };
    isTied = false;
  }
  const isWhole = best !== null && best.score >= profile.length * usualShare;
  return best && isWhole && !isTied ? best.row : null;
}

function fits(text: string, profile: ColumnProfile | undefined): boolean {
  const cell = text.trim();
  if (cell === '') return !profile?.isFilled;
  return looksLikeData(cell) === profile?.isData;
}
