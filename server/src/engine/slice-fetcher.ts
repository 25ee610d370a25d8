import type { Context } from '../core/context.ts';
import { record } from '../core/events.ts';
import { pauseByEngine } from '../domains/batches/lifecycle/engine-pause.ts';
import { firstSlicePriority, sliceCount, sliceQueueName } from '../domains/batches/rules.ts';
import { recordCrashes } from '../domains/batches/slices/crashes.ts';
import { endSlice, takeSlice } from '../domains/batches/slices/lease.ts';
import { newRow } from './leased-slice.ts';
import type { LocalQueue } from './local-queue.ts';
import type { Claim, SliceSource } from './port.ts';
import type { ResultWriter } from './result-writer.ts';

interface Parts {
  source: SliceSource;
  hand: LocalQueue;
  settler: ResultWriter;
  mayClaim: () => boolean;
  /** Nothing would be asked: what is claimed all the same shall wait with the reason, or end. */
  isProviderDown: () => boolean;
  onClaimed: () => void;
}

const slicesAtOnce = 4;
/** With so many times the rows in hand, even beginners wait. */
const crowd = 4;

/** Takes slices out of the queue while there is room for their rows: four times as many as can be in flight, for
 * as many again may be answered and not settled yet. The first slice of a batch is small, and finds room all the same,
 * so that whoever begins is served in turn with those who are at it. */
export class SliceFetcher {
  readonly #ctx: Context;
  readonly #parts: Parts;
  #claiming: Promise<void> | null = null;
  #hasNews = false;
  #isClosed = false;
  /** The last look for slices of any kind found less than it asked for. */
  #isDry = true;
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

  /** Rows have left the hand, while others of their slices may wait long for another try. */
  refill(): void {
    if (!this.#isDry && this.#parts.hand.openRows < this.#wantedRows) this.look();
  }

  hear(batchId: string): void {
    if (this.#claiming) this.#changed.add(batchId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#claiming;
  }

  get #wantedRows(): number {
    return Math.max(4 * this.#ctx.config.chat.concurrency, sliceCount);
  }

  async #claim(): Promise<void> {
    const wantedRows = this.#wantedRows;
    while (this.#hasNews && !this.#isClosed && this.#parts.mayClaim()) {
      this.#hasNews = false;
      const { hand, source } = this.#parts;
      const { openRows } = hand;
      if (openRows > crowd * wantedRows) return;
      const room = Math.ceil((wantedRows - openRows) / sliceCount);
      const count = Math.min(Math.max(1, room), slicesAtOnce);
      const jobs = await source.take(sliceQueueName, {
        count,
        ...(room <= 0 ? { minPriority: firstSlicePriority } : {}),
      });
      for (const { id, retryCount, data } of jobs)
        await this.#takeIn({ id, retryCount }, data as { batch_id: string; first: number });
      const isExhausted = jobs.length < count;
      if (room > 0) this.#isDry = isExhausted;
      // The first slices of batches come before all others: behind a large one there is none of them.
      const isSatisfied = hand.openRows >= wantedRows && hand.openRows - openRows >= sliceCount;
      if (!isExhausted && !isSatisfied) this.#hasNews = true;
    }
  }

  async #takeIn(
    claim: Claim,
    { batch_id: batchId, first }: { batch_id: string; first: number },
  ): Promise<void> {
    this.#changed.clear();
    // Where everybody's slices are laid aside at the start, nobody gets one that another has lost.
    if (claim.retryCount > 0) await recordCrashes(this.#ctx, [{ batchId, first }]);
    if (this.#parts.isProviderDown())
      await pauseByEngine(this.#ctx, { batchId, reason: 'provider_down' });
    const taken = await takeSlice(this.#ctx, { batchId, first });
    this.#ctx.passFaultPoint?.('after-claim');
    if (!taken || this.#changed.has(batchId))
      return endSlice(this.#ctx, { batchId, first, claim, isComplete: false });
    const slice = this.#parts.hand.add(claim, taken);
    record(this.#ctx, 'slice_leased', { batch: batchId, first, rows: slice.open });
    for (const { row, problem } of taken.unasked)
      this.#parts.settler.add(newRow(slice, row, ''), {
        row,
        state: 'failed',
        answer: null,
        problem,
      });
    this.#parts.onClaimed();
  }
}
