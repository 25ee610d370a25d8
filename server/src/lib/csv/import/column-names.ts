import * as texts from '../../../texts/sheets.ts';
import type { ProblemReport } from './problem-report.ts';

/** As in the contract, which would take the import's thread longer to load than to read a sheet. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const visible = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{M}\p{C}\u2800]/u;

/**
 * Unique names for the cells of a header, also where an accent has two forms or a character is
 * invisible, which a prompt cannot tell apart. Uses Sets, so that `__proto__` is an ordinary name.
 */
export function nameColumns(
  cells: readonly string[],
  { line, report }: { line: number; report: ProblemReport },
): string[] {
  const given = cells
    .map((cell) => cell.trim().replace(/\s+/g, ' '))
    .map((name) => (visible.test(name) ? name : ''));
  const own = new Set(given.map((name) => oneForm(name)));
  const taken = new Set<string>();
  return given.map((name, index) => {
    // Names from the header win over generated ones.
    const isFree = (wanted: string) =>
      !taken.has(oneForm(wanted)) && (wanted === name || !own.has(oneForm(wanted)));
    const unique = firstFree(name || `Column ${index + 1}`, isFree);
    taken.add(oneForm(unique));
    if (!name)
      report.add({
        line,
        column: unique,
        kind: 'empty_header',
        message: texts.unnamedColumn,
      });
    else if (unique !== name)
      report.add({
        line,
        column: unique,
        kind: 'duplicate_header',
        message: texts.duplicateName(name),
      });
    return unique;
  });
}

/** Not of a long name, for which it could take long: the time grows with the square of accents. */
function oneForm(name: string): string {
  return name.length > 200 ? name : name.replace(invisible, '').normalize();
}

/** For a sheet without a header. */
export function plainNames(count: number): string[] {
  return count === 1
    ? ['Prompt']
    : Array.from({ length: count }, (_, index) => `Column ${index + 1}`);
}

/** One header of several rows. An upper name covers the empty cells behind it (merged cells). */
export function joinHeaders(rows: readonly string[][]): string[] {
  const [first = []] = rows;
  if (rows.length === 1) return first;
  const width = Math.max(...rows.map(({ length }) => length));
  const spread = rows.map((cells, row) => {
    let last = '';
    return Array.from({ length: width }, (_, at) => {
      const cell = cells[at]?.trim() ?? '';
      last = cell || last;
      return row < rows.length - 1 ? last : cell;
    });
  });
  return Array.from({ length: width }, (_, at) => {
    const names = spread.map((cells) => cells[at] ?? '').filter((name) => name !== '');
    return [...new Set(names)].join(' ');
  });
}

/** For one more column behind these. */
export function freeName(columns: readonly string[]): string {
  return firstFree(`Column ${columns.length + 1}`, (name) => !columns.includes(name));
}

/** The name itself, or with the first number that makes it free. */
export function firstFree(name: string, isFree: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; !isFree(free); count++) free = `${name} (${count})`;
  return free;
}
