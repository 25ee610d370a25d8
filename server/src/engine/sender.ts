import type { Context } from '../core/context.ts';
import type { Emit } from './events.ts';
import type { LeasedRow } from './leased-slice.ts';
import { CallsByPerson } from './limits/calls-by-person.ts';
import type { CircuitBreaker } from './limits/circuit-breaker.ts';
import type { ConcurrencyLimiter } from './limits/concurrency-limiter.ts';
import type { RequestRefusals } from './limits/request-refusals.ts';
import type { LocalQueue } from './local-queue.ts';
import { addTokens, type ChatOutcome } from './port.ts';
import type { Quarantine } from './quarantine.ts';

interface Parts {
  queue: LocalQueue;
  quarantine: Quarantine;
  limiter: ConcurrencyLimiter;
  breaker: CircuitBreaker;
  refusals: RequestRefusals;
  callModel(row: LeasedRow): Promise<ChatOutcome>;
  emit: Emit;
}

/** A cooldown may last a day, over which a timer drifts: the wait is computed again after this. */
const maxTimerMilliseconds = 60_000;

/** Sends ready rows as fast as the limiter allows, unless the provider is down or its refusal is being handled. */
export class Sender {
  readonly #ctx: Context;
  readonly #parts: Parts;
  readonly #calls = new Set<Promise<void>>();
  readonly #callsBy = new CallsByPerson();
  #timer: NodeJS.Timeout | null = null;
  #holds = 0;

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  sendRows(): void {
    const { breaker, limiter, quarantine, queue, refusals } = this.#parts;
    const callsBy = this.#callsBy;
    const isBlocked = ({ slice: { batchId, userId } }: LeasedRow) =>
      refusals.isFull(batchId) || !breaker.mayCallFor(userId);
    const choice = { isBlocked, loadOf: (userId: string) => callsBy.of(userId) };
    if (quarantine.isExclusive && this.#calls.size === 0) quarantine.onIdle();
    while (!breaker.isOpen && this.#holds === 0) {
      if (quarantine.isExclusive && !breaker.isClosed) return;
      const isEmpty = quarantine.isExclusive ? !quarantine.isReady : queue.size === 0;
      if (isEmpty) return;
      const wait = limiter.waitMilliseconds;
      if (wait > 0) {
        this.#sendLater(wait);
        return;
      }
      const row = quarantine.isExclusive ? quarantine.next() : queue.next(choice);
      // All rows wait for the end of another call, or of the probe.
      if (!row) return;
      this.#send(row);
    }
  }

  /** Nothing is sent until `work` has ended. */
  async holdDuring(work: () => Promise<void>): Promise<void> {
    this.#holds++;
    try {
      await work();
    } finally {
      this.#holds--;
    }
  }

  async whenNoCallInFlight(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** When only the end of a call can free a slot, the answer's event sends. */
  #sendLater(milliseconds: number): void {
    if (milliseconds === Number.POSITIVE_INFINITY || this.#timer) return;
    const due = () => {
      this.#timer = null;
      void this.#parts.emit({ type: 'slot_free' });
    };
    this.#timer = setTimeout(due, Math.min(Math.ceil(milliseconds), maxTimerMilliseconds));
  }

  /** A call counts as in flight until its answer is handled: a shutdown and a row that must be alone wait for both. */
  #send(row: LeasedRow): void {
    const call = this.#call(row).finally(() => {
      this.#calls.delete(call);
      if (this.#parts.quarantine.isExclusive) this.sendRows();
    });
    this.#calls.add(call);
  }

  async #call(row: LeasedRow): Promise<void> {
    const { callModel, emit, limiter, quarantine, refusals } = this.#parts;
    const { batchId, userId } = row.slice;
    refusals.beginCall(batchId);
    this.#callsBy.begin(userId);
    const call = limiter.acquire();
    this.#ctx.passFaultPoint?.('before-call', row.fillPrompt());
    const sentAt = performance.now();
    const outcome = await callModel(row);
    row.tokens = addTokens(row.tokens, outcome);
    refusals.endCall(batchId);
    this.#callsBy.end(userId);
    quarantine.noteCall(performance.now() - sentAt);
    this.#ctx.passFaultPoint?.('after-reply');
    await emit({ type: 'answer_arrived', row, outcome, call });
  }
}
