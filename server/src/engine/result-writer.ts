import type { Context } from '../core/context.ts';
import { pauseByEngine } from '../domains/batches/lifecycle/engine-pause.ts';
import { settleRows } from '../domains/batches/results/store-results.ts';
import type { RowResult } from '../domains/batches/store/results.ts';
import type { LeasedRow } from './leased-slice.ts';
import type { LocalQueue } from './local-queue.ts';

/**
 * So many results, or so long a time since the last one, make a transaction; with many calls in flight, twice as many as
 * these. While one is under way the next ones gather: with both, a kill finds about fifty that are not stored.
 */
const fullAtLeast = 32;
const patienceMilliseconds = 100;
/** After a quiet time the first answer is not kept waiting, only for those that come with it. */
const companyMilliseconds = 5;
const retryMilliseconds = 1_000;

interface Settling {
  held: LeasedRow;
  result: RowResult;
}

/** What must be true of a statement that failed, for the batch to wait instead of the statement to be tried again. */
const pauses: Record<string, 'needs_credits' | 'storage_full' | undefined> = {
  batches_held: 'needs_credits',
  insufficient_credits: 'needs_credits',
  53100: 'storage_full',
  ENOSPC: 'storage_full',
};

/** Gathers results and settles them, many in one transaction, one transaction at a time. */
export class ResultWriter {
  readonly #ctx: Context;
  readonly #hand: LocalQueue;
  #waiting: Settling[] = [];
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> | null = null;
  #startedAt = 0;
  /** Results that could not be stored wait for another try, and hold up nobody else's. */
  readonly #later = new Set<Promise<void>>();

  constructor(ctx: Context, hand: LocalQueue) {
    this.#ctx = ctx;
    this.#hand = hand;
  }

  add(held: LeasedRow, result: RowResult): void {
    this.#waiting.push({ held, result });
    this.#consider();
  }

  /** Everything that is known is stored. */
  async flush(): Promise<void> {
    while (this.#work || this.#waiting.length > 0 || this.#later.size > 0) {
      if (!this.#work && this.#waiting.length > 0) this.#start();
      await (this.#work ?? Promise.race(this.#later));
    }
  }

  #consider(): void {
    if (this.#work || this.#waiting.length === 0) return;
    const full = Math.max(fullAtLeast, 2 * this.#ctx.config.chat.concurrency);
    // With the last rows in hand there is nobody to wait for.
    if (this.#waiting.length >= Math.min(full, this.#hand.openRows)) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), this.#patience());
  }

  #patience(): number {
    return Math.max(
      companyMilliseconds,
      this.#startedAt + patienceMilliseconds - performance.now(),
    );
  }

  #start(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#startedAt = performance.now();
    const settling = this.#waiting;
    this.#waiting = [];
    this.#work = this.#settle(settling).finally(() => {
      this.#work = null;
      this.#consider();
    });
  }

  async #settle(settling: Settling[]): Promise<void> {
    for (const [batchId, group] of Map.groupBy(settling, ({ held }) => held.slice.batchId))
      await this.#settleBatch(batchId, group);
  }

  async #settleBatch(batchId: string, group: Settling[]): Promise<void> {
    try {
      const batch = await settleRows(this.#ctx, {
        batchId,
        results: group.map(({ result }) => result),
      });
      this.#ctx.passFaultPoint?.('after-commit');
      this.#hand.settled(group.map(({ held }) => held));
      if (batch?.state !== 'running')
        this.#hand.stopSending(batchId, { isStopped: batch?.state === 'stopped' });
    } catch (error) {
      await this.#recover(error, batchId, group);
    }
  }

  /** An answer that the provider was asked for is not thrown away because the database is away for a moment. */
  async #recover(error: unknown, batchId: string, group: Settling[]): Promise<void> {
    const { constraint, code } = error as { constraint?: string; code?: string };
    this.#ctx.log.error({ err: error, batch: batchId }, 'rows could not be settled');
    const reason = pauses[constraint ?? ''] ?? pauses[code ?? ''];
    if (!reason) {
      this.#tryLater(group);
      return;
    }
    await pauseByEngine(this.#ctx, { batchId, reason }).catch((failure) =>
      this.#ctx.log.error({ err: failure }, 'no pause'),
    );
    this.#hand.giveUp(group.map(({ held }) => held));
  }

  #tryLater(group: Settling[]): void {
    const later = new Promise<void>((resolve) => setTimeout(resolve, retryMilliseconds)).then(
      () => {
        this.#later.delete(later);
        this.#waiting.unshift(...group);
        this.#consider();
      },
    );
    this.#later.add(later);
  }
}
