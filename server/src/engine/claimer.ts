import type { Context } from '../context.ts';
import { endSlice } from '../domains/batches/end-slice.ts';
import { sliceQueueName } from '../domains/batches/rules.ts';
import { takeSlice } from '../domains/batches/take-slice.ts';
import { record } from '../events.ts';
import type { Hand } from './hand.ts';
import type { Settler } from './settler.ts';

/** Where slices come from. */
export interface SliceSource {
  take(name: string, count: number): Promise<{ id: string; data: unknown }[]>;
  /** Says that the holder of these lives. */
  keepAlive(name: string, ids: string[]): Promise<void>;
  clear(name: string): Promise<void>;
}

interface Parts {
  source: SliceSource;
  hand: Hand;
  settler: Settler;
  /** Whether anything would be asked at all. */
  mayClaim: () => boolean;
  onClaimed: () => void;
}

const rowsPerSliceAtMost = 256;
const slicesAtOnce = 4;

/** Takes slices out of the queue while there is room for their rows: four times as many as can be in flight, for
 * as many again may be answered and not settled yet. */
export class Claimer {
  readonly #ctx: Context;
  readonly #parts: Parts;
  #claiming: Promise<void> | null = null;
  #hasNews = false;
  #isClosed = false;

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  /** There may be something to take. Called often; one look at a time, and one more when it was called meanwhile. */
  look(): void {
    this.#hasNews = true;
    if (this.#isClosed || this.#claiming) return;
    this.#claiming = this.#claim()
      .catch((error) => this.#ctx.log.error({ err: error }, 'no slices could be taken'))
      .finally(() => {
        this.#claiming = null;
      });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#claiming;
  }

  async #claim(): Promise<void> {
    const wantedRows = Math.max(4 * this.#ctx.config.chat.concurrency, rowsPerSliceAtMost);
    while (this.#hasNews && !this.#isClosed && this.#parts.mayClaim()) {
      this.#hasNews = false;
      const room = Math.ceil((wantedRows - this.#parts.hand.openRows) / rowsPerSliceAtMost);
      if (room <= 0) return;
      const jobs = await this.#parts.source.take(sliceQueueName, Math.min(room, slicesAtOnce));
      for (const { id, data } of jobs) await this.#takeIn(id, data as { batch_id: string; first: number });
      if (jobs.length > 0) this.#hasNews = true;
    }
  }

  async #takeIn(jobId: string, { batch_id: batchId, first }: { batch_id: string; first: number }): Promise<void> {
    const taken = await takeSlice(this.#ctx, { batchId, first });
    if (!taken) return endSlice(this.#ctx, { batchId, first, jobId, isComplete: false });
    const slice = this.#parts.hand.add(jobId, taken);
    record(this.#ctx, 'slice_taken', { batch: batchId, first, rows: slice.open });
    for (const row of taken.blank) {
      const problem = 'The row is blank: there was nothing to ask.';
      this.#parts.settler.add({ slice, row, prompt: '', attempts: 0 }, { row, state: 'failed', answer: null, problem });
    }
    this.#parts.onClaimed();
  }
}
