import type { SheetProblem } from '../sheet.ts';

const maximumListed = 200;

/** Counts all problems and lists the first 200, and all summaries. */
export class ProblemReport {
  readonly #single: SheetProblem[] = [];
  readonly #summaries: SheetProblem[] = [];
  #total = 0;

  add(problem: SheetProblem): void {
    this.#total += 1;
    if (this.#single.length < maximumListed) this.#single.push(problem);
  }

  /** One problem for all of a kind, at the line of the first. */
  summarise(
    kind: string,
    { count, line }: { count: number; line: number | null },
    message: (count: number) => string,
  ): void {
    if (count === 0) return;
    this.#total += 1;
    this.#summaries.push({ line, column: null, kind, message: message(count) });
  }

  end(): { problems: SheetProblem[]; total: number } {
    const problems = [...this.#summaries, ...this.#single].slice(0, maximumListed);
    return { problems: problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)), total: this.#total };
  }
}
