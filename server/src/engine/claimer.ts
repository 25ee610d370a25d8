import type { Context } from '../context.ts';
import { endSlice } from '../domains/batches/end-slice.ts';
import { pauseByEngine } from '../domains/batches/pause-by-engine.ts';
import { firstSlicePriority, sliceQueueName } from '../domains/batches/rules.ts';
import { takeSlice } from '../domains/batches/take-slice.ts';
import { record } from '../events.ts';
import { type Hand, newRow } from './hand.ts';
import type { Claim, SliceSource } from './port.ts';
import type { Settler } from './settler.ts';

interface Parts {
  source: SliceSource;
  hand: Hand;
  settler: Settler;
  mayClaim: () => boolean;
  /** Nothing would be asked: what is claimed all the same shall wait with the reason, or end. */
  isProviderDown: () => boolean;
  onClaimed: () => void;
}

const rowsPerSliceAtMost = 256;
const slicesAtOnce = 4;
/** With so many times the rows in hand, even beginners wait. */
const crowd = 4;

/** Takes slices out of the queue while there is room for their rows: four times as many as can be in flight, for
 * as many again may be answered and not settled yet. The first slice of a batch is small, and finds room all the same,
 * so that whoever begins is served in turn with those who are at it. */
export class Claimer {
  readonly #ctx: Context;
  readonly #parts: Parts;
  #claiming: Promise<void> | null = null;
  #hasNews = false;
  #isClosed = false;
  /** Batches of which something was heard while a slice was being read: what was read may not be so any more. */
  readonly #changed = new Set<string>();

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

  hear(batchId: string): void {
    if (this.#claiming) this.#changed.add(batchId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#claiming;
  }

  async #claim(): Promise<void> {
    const wantedRows = Math.max(4 * this.#ctx.config.chat.concurrency, rowsPerSliceAtMost);
    while (this.#hasNews && !this.#isClosed && this.#parts.mayClaim()) {
      this.#hasNews = false;
      const { openRows } = this.#parts.hand;
      const room = Math.ceil((wantedRows - openRows) / rowsPerSliceAtMost);
      if (openRows > crowd * wantedRows) return;
      const jobs = await this.#parts.source.take(sliceQueueName, {
        count: Math.min(Math.max(1, room), slicesAtOnce),
        ...(room <= 0 ? { minPriority: firstSlicePriority } : {}),
      });
      for (const { id, retryCount, data } of jobs)
        await this.#takeIn({ id, retryCount }, data as { batch_id: string; first: number });
      if (jobs.length > 0) this.#hasNews = true;
    }
  }

  async #takeIn(claim: Claim, { batch_id: batchId, first }: { batch_id: string; first: number }): Promise<void> {
    this.#changed.clear();
    if (this.#parts.isProviderDown()) await pauseByEngine(this.#ctx, { batchId, reason: 'provider_down' });
    const taken = await takeSlice(this.#ctx, { batchId, first });
    if (!taken || this.#changed.has(batchId)) return endSlice(this.#ctx, { batchId, first, claim, isComplete: false });
    const slice = this.#parts.hand.add(claim, taken);
    record(this.#ctx, 'slice_taken', { batch: batchId, first, rows: slice.open });
    for (const row of taken.blank) {
      const problem = 'The row is blank: there was nothing to ask.';
      this.#parts.settler.add(newRow(slice, row, ''), { row, state: 'failed', answer: null, problem });
    }
    this.#parts.onClaimed();
  }
}
