import type { SheetProblem } from './sheet.ts';

const mostListed = 200;

/** Counts every problem and lists the first of them; a summary is listed however many came before it. */
export class ProblemReport {
  readonly #single: SheetProblem[] = [];
  readonly #summaries: SheetProblem[] = [];
  #total = 0;

  add(problem: SheetProblem): void {
    this.#total += 1;
    if (this.#single.length < mostListed) this.#single.push(problem);
  }

  /** One problem for many of a kind, at the line of the first. */
  summarise({ kind, line, message }: { kind: string; line: number | null; message: string }): void {
    this.#total += 1;
    this.#summaries.push({ line, column: null, kind, message });
  }

  end(): { problems: SheetProblem[]; total: number } {
    const problems = [...this.#summaries, ...this.#single].slice(0, mostListed);
    return { problems: problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)), total: this.#total };
  }
}
