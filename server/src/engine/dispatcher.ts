import type { Context } from '../core/context.ts';
import { decideRetry } from './decide-retry.ts';
import type { LeasedRow } from './leased-slice.ts';
import type { CircuitBreaker } from './limits/circuit-breaker.ts';
import type { ConcurrencyLimiter } from './limits/concurrency-limiter.ts';
import type { LocalQueue } from './local-queue.ts';
import type { ChatModel, ChatOutcome } from './port.ts';
import type { ResultWriter } from './result-writer.ts';

interface Parts {
  chat: ChatModel;
  pace: ConcurrencyLimiter;
  breaker: CircuitBreaker;
  hand: LocalQueue;
  settler: ResultWriter;
  /** The provider refuses us, in words: the batch must wait. */
  onRefused: (batchId: string, detail: string) => Promise<void>;
  /** The provider names a time before which it wants no call. */
  onRest: () => void;
}

/** The longest that a timer is set for; then the wait is looked at again. */
const longestTimer = 60_000;

/** Sends rows as fast as the pace allows, and decides what becomes of each. */
export class Dispatcher {
  readonly #ctx: Context;
  readonly #parts: Parts;
  readonly #calls = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  /** Batches that are being paused because the provider refuses us: until that is so, nothing is sent. */
  #pausing = 0;

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  pump(): void {
    const { pace, hand, breaker } = this.#parts;
    if (hand.trials.isAlone && this.#calls.size === 0) hand.trials.whenQuiet();
    while (!hand.isEmpty && breaker.isClosed && this.#pausing === 0) {
      const wait = pace.wait();
      if (wait > 0) this.#pumpLater(wait);
      const held = wait > 0 ? undefined : hand.next();
      if (!held) return;
      const call = this.#ask(held).finally(() => {
        this.#calls.delete(call);
        if (hand.trials.isAlone) this.pump();
      });
      this.#calls.add(call);
    }
  }

  /** Every call in flight has ended. */
  async whenQuiet(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** With no end in sight but that of another call, its end pumps again. */
  #pumpLater(wait: number): void {
    if (wait === Number.POSITIVE_INFINITY || this.#timer) return;
    const due = () => {
      this.#timer = null;
      this.pump();
    };
    this.#timer = setTimeout(due, Math.min(Math.ceil(wait), longestTimer));
  }

  async #ask(held: LeasedRow): Promise<void> {
    const { pace, hand, breaker, onRest } = this.#parts;
    const startedAt = pace.begin();
    this.#ctx.passFaultPoint?.('before-call', held.prompt);
    const sentAt = performance.now();
    const outcome = await this.#outcomeOf(held);
    hand.trials.sawCall(performance.now() - sentAt);
    this.#ctx.passFaultPoint?.('after-reply');
    pace.end(outcome, startedAt);
    breaker.note(outcome, held.slice.model);
    if (outcome.kind === 'try_later' && outcome.retryAt !== null) onRest();
    const isProviderDown = outcome.kind === 'broken' && (await breaker.isDown());
    await this.#decide(held, outcome, isProviderDown);
    this.pump();
  }

  async #outcomeOf({ slice, prompt }: LeasedRow): Promise<ChatOutcome> {
    const { system, temperature, max_tokens: maxTokens, outputs } = slice.options;
    const { deadlineMilliseconds } = this.#ctx.config.chat;
    const { model, abort } = slice;
    try {
      return await this.#parts.chat.ask({
        model,
        prompt,
        system,
        temperature,
        maxTokens,
        outputs,
        deadlineMilliseconds,
        signal: abort.signal,
      });
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'a chat model threw instead of answering');
      return { kind: 'broken', reason: 'The provider could not be asked.' };
    }
  }

  async #decide(held: LeasedRow, outcome: ChatOutcome, isProviderDown: boolean): Promise<void> {
    const { pace, hand, settler } = this.#parts;
    const { row, attempts } = held;
    const isOvertaken = outcome.kind === 'try_later' && pace.answers > held.answersThen;
    const postponed = held.postponed + (isOvertaken ? 1 : 0);
    const verdict = decideRetry(outcome, { attempts, postponed, isProviderDown });
    if (verdict.act === 'save') {
      settler.add(held, { row, state: 'answered', answer: verdict.answer, problem: null });
    } else if (verdict.act === 'fail') {
      settler.add(held, { row, state: 'failed', answer: null, problem: verdict.problem });
    } else if (verdict.act === 'retry') {
      const again = { ...held, attempts: verdict.attempts, postponed, answersThen: pace.answers };
      hand.retryLater(again, verdict.waitMilliseconds, () => this.pump());
    } else {
      // First the pause: a slice that ends while its batch runs goes back into the queue at once.
      if (verdict.act === 'pause') await this.#pause(held.slice.batchId, verdict.detail);
      hand.giveUp([held]);
    }
  }

  async #pause(batchId: string, detail: string): Promise<void> {
    this.#pausing++;
    await this.#parts.onRefused(batchId, detail);
    this.#pausing--;
  }
}
