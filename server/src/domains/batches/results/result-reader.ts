import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { findBatchById } from '../store/batches.ts';
import { listResultsBetween, type RowResult } from '../store/results.ts';

/** An answer has from a few bytes to a megabyte. Pages adapt to keep answers near 64 KiB. */
const rowsAtFirst = 32;
const maximumRows = 256;
const targetLength = 64 * 1024;

/** Adds the results to consecutive rows, a few at a time. Other lines have the number null. */
export class ResultReader {
  readonly #ctx: Context;
  readonly #batchId: string;
  #step = rowsAtFirst;

  constructor(ctx: Context, batchId: string) {
    this.#ctx = ctx;
    this.#batchId = batchId;
  }

  async *read<T extends { row: number | null }>(
    rows: readonly T[],
  ): AsyncGenerator<(T & { result: RowResult | undefined })[]> {
    for (let at = 0; at < rows.length; ) {
      const some = rows.slice(at, at + this.#step);
      const results = await this.#resultsOf(some);
      const byRow = new Map(results.map((result) => [result.row, result]));
      yield some.map((one) => ({
        ...one,
        result: one.row === null ? undefined : byRow.get(one.row),
      }));
      at += some.length;
      const length = results.reduce((sum, { answer }) => sum + (answer?.length ?? 0), 0);
      this.#step =
        length > targetLength
          ? Math.max(1, Math.ceil((some.length * targetLength) / length))
          : Math.min(maximumRows, this.#step * 2);
    }
  }

  /** After the last row: the answers may have been deleted while they were read. */
  async end(): Promise<void> {
    if ((await findBatchById(this.#ctx.db, this.#batchId))?.deleted_at) refuse('not_found');
  }

  async #resultsOf(rows: readonly { row: number | null }[]): Promise<RowResult[]> {
    const numbers = rows.flatMap(({ row }) => row ?? []);
    const [first] = numbers;
    const last = numbers.at(-1);
    if (first === undefined || last === undefined) return [];
    return listResultsBetween(this.#ctx.db, { batchId: this.#batchId, first, last });
  }
}
