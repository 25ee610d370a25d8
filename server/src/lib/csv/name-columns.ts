import type { ProblemReport } from './problem-report.ts';

/** Unique names for the cells of a header. A Set, so that `__proto__` is a name like any other. */
export function nameColumns(
  cells: readonly string[],
  { line, report }: { line: number; report: ProblemReport },
): string[] {
  const given = cells.map((cell) => cell.trim().replace(/\s+/g, ' '));
  const own = new Set(given);
  const taken = new Set<string>();
  return given.map((name, index) => {
    const isFree = (wanted: string) => !taken.has(wanted) && (wanted === name || !own.has(wanted));
    const unique = firstFree(name || `Column ${index + 1}`, isFree);
    taken.add(unique);
    if (!name)
      report.add({
        line,
        column: unique,
        kind: 'empty_header',
        message: `Column ${index + 1} has no name.`,
      });
    else if (unique !== name)
      report.add({
        line,
        column: unique,
        kind: 'duplicate_header',
        message: `Another column is named “${name}” already.`,
      });
    return unique;
  });
}

/** For a sheet without a header. */
export function plainNames(count: number): string[] {
  return count === 1
    ? ['Prompt']
    : Array.from({ length: count }, (_, index) => `Column ${index + 1}`);
}

/** A name made here gives way to one that the header itself gives. */
function firstFree(name: string, isFree: (name: string) => boolean): string {
  if (isFree(name)) return name;
  let count = 2;
  while (!isFree(`${name} (${count})`)) count += 1;
  return `${name} (${count})`;
}
