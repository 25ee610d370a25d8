import type { Context } from '../context.ts';
import type { Hand, HeldRow } from './hand.ts';
import { judge } from './judge.ts';
import type { Pace } from './pace.ts';
import type { ChatModel, ChatOutcome } from './port.ts';
import type { Settler } from './settler.ts';

interface Parts {
  chat: ChatModel;
  pace: Pace;
  hand: Hand;
  settler: Settler;
  /** The provider refuses us, in words: the batch must wait. */
  onRefused: (batchId: string, detail: string) => void;
  /** The provider names a time before which it wants no call. */
  onRest: () => void;
  /** The breaker has just opened. */
  onDown: () => void;
}

/** The longest that a timer is set for; then the wait is looked at again. */
const longestTimer = 60_000;

/** Sends rows as fast as the pace allows, and decides what becomes of each. */
export class Asker {
  readonly #ctx: Context;
  readonly #parts: Parts;
  readonly #calls = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  pump(): void {
    const { pace, hand } = this.#parts;
    while (!hand.isEmpty) {
      const wait = pace.wait();
      if (wait > 0) this.#pumpLater(wait);
      const held = wait > 0 ? undefined : hand.next();
      if (!held) return;
      const call = this.#ask(held).finally(() => this.#calls.delete(call));
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

  async #ask(held: HeldRow): Promise<void> {
    const { pace, onDown, onRest } = this.#parts;
    pace.begin();
    const outcome = await this.#outcomeOf(held);
    const wasDown = pace.isOpen;
    pace.end(outcome);
    if (outcome.kind === 'try_later' && outcome.retryAt !== null) onRest();
    if (pace.isOpen && !wasDown) onDown();
    this.#decide(held, outcome);
    this.pump();
  }

  async #outcomeOf({ slice, prompt }: HeldRow): Promise<ChatOutcome> {
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

  #decide(held: HeldRow, outcome: ChatOutcome): void {
    const { pace, hand, settler, onRefused } = this.#parts;
    const verdict = judge(outcome, { attempts: held.attempts, isProviderDown: pace.isDown });
    const { row } = held;
    if (verdict.act === 'save') {
      settler.add(held, { row, state: 'answered', answer: verdict.answer, problem: null });
    } else if (verdict.act === 'fail') {
      settler.add(held, { row, state: 'failed', answer: null, problem: verdict.problem });
    } else if (verdict.act === 'retry') {
      hand.retryLater({ ...held, attempts: verdict.attempts }, verdict.waitMilliseconds, () => this.pump());
    } else {
      if (verdict.act === 'pause') onRefused(held.slice.batchId, verdict.detail);
      hand.giveUp([held]);
    }
  }
}
