import type { Context } from '../context.ts';
import { keepRest, lastRest } from '../domains/batches/keep-rest.ts';
import { pauseByEngine } from '../domains/batches/pause-by-engine.ts';
import { rescueBatches } from '../domains/batches/rescue-batches.ts';
import { resumeAfterOutage } from '../domains/batches/resume-after-outage.ts';
import { sliceQueueName } from '../domains/batches/rules.ts';
import type { Notice } from '../notices.ts';
import { Asker } from './asker.ts';
import { Claimer, type SliceSource } from './claimer.ts';
import { Hand } from './hand.ts';
import { breakerRestMilliseconds, type Pace } from './pace.ts';
import type { ChatModel } from './port.ts';
import { Settler } from './settler.ts';

interface Parts {
  source: SliceSource;
  chat: ChatModel;
  pace: Pace;
  /** Nobody else works on this database: what is in the queue or in hand at the start is in nobody's hands. */
  isAlone: boolean;
}

const lookMilliseconds = 2_000;
const aliveMilliseconds = 5_000;
/** A stopped batch lets its calls in flight end within this time, and then gives them up. */
const stopGraceMilliseconds = 5_000;
/** At a shutdown, calls in flight may end within this. */
const drainMilliseconds = 18_000;

/**
 * The road of a row: its slice is claimed, it waits in the hand for a place at the provider, it is asked, the outcome is
 * judged, and what is known is settled. This class only ties these together, and to the world: the notices of what people
 * do, outages of the provider, start and end of the process.
 */
export class Engine implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #parts: Parts;
  readonly #hand: Hand;
  readonly #settler: Settler;
  readonly #asker: Asker;
  readonly #claimer: Claimer;
  readonly #timers: NodeJS.Timeout[] = [];
  #unsubscribe = () => {};

  constructor(ctx: Context, parts: Parts) {
    const { chat, pace, source } = parts;
    this.#ctx = ctx;
    this.#parts = parts;
    this.#hand = new Hand(ctx, () => this.#claimer.look());
    this.#settler = new Settler(ctx, this.#hand);
    this.#asker = new Asker(ctx, {
      chat,
      pace,
      hand: this.#hand,
      settler: this.#settler,
      onRefused: (batchId, detail) => void this.#pauseRefused(batchId, detail),
      onRest: () => void this.#tryTo(() => keepRest(ctx, { model: chat.name, until: new Date(pace.restUntil) })),
      onDown: () => void this.#pauseAll(),
    });
    this.#claimer = new Claimer(ctx, {
      source,
      hand: this.#hand,
      settler: this.#settler,
      mayClaim: () => !pace.isOpen,
      onClaimed: () => this.#asker.pump(),
    });
  }

  async start(): Promise<void> {
    const { pace, source, isAlone, chat } = this.#parts;
    const rest = await lastRest(this.#ctx, chat.name);
    if (rest) pace.rest(rest.getTime());
    if (isAlone) {
      await source.clear(sliceQueueName);
      await rescueBatches(this.#ctx);
    }
    await resumeAfterOutage(this.#ctx);
    this.#unsubscribe = this.#ctx.notices.subscribe((notice) => this.#hear(notice));
    this.#every(lookMilliseconds, () => this.#claimer.look());
    this.#every(aliveMilliseconds, () => void this.#sayAlive());
    this.#every(breakerRestMilliseconds, () => void this.#probe());
    this.#claimer.look();
  }

  /** Takes nothing new, lets what is in flight end, stores it, and hands the rest back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#claimer.close();
    this.#hand.stopAll();
    const deadline = setTimeout(() => this.#hand.abortAll(), drainMilliseconds);
    await this.#asker.whenQuiet();
    clearTimeout(deadline);
    await this.#settler.flush();
    await this.#hand.whenEnded();
  }

  #every(milliseconds: number, act: () => void): void {
    this.#timers.push(setInterval(act, milliseconds));
  }

  /** A batch that begins to run has slices for us; one that does not run any more is to send nothing. */
  #hear({ batch_id: batchId, state, is_deleted }: Notice): void {
    if (!batchId) return;
    if (state === 'running') this.#claimer.look();
    else if (state || is_deleted) this.#hand.stopSending(batchId, state === 'stopped' ? stopGraceMilliseconds : undefined);
  }

  async #pauseRefused(batchId: string, detail: string): Promise<void> {
    this.#hand.stopSending(batchId);
    await this.#tryTo(() => pauseByEngine(this.#ctx, { batchId, reason: 'provider_refused', detail }));
  }

  /** The provider is down for everybody: batches wait instead of using up the tries of their rows. */
  async #pauseAll(): Promise<void> {
    const { batchIds } = this.#hand;
    this.#hand.stopAll();
    for (const batchId of batchIds) await this.#tryTo(() => pauseByEngine(this.#ctx, { batchId, reason: 'provider_down' }));
  }

  /** While the breaker is open: asks a small thing, and when that is answered lets the batches try again, one call first. */
  async #probe(): Promise<void> {
    const { pace, chat } = this.#parts;
    if (!pace.isOpen) return;
    const isBack = await chat.listModels().then(
      () => true,
      () => false,
    );
    if (!isBack) return;
    pace.probe();
    await this.#tryTo(() => resumeAfterOutage(this.#ctx));
    this.#claimer.look();
  }

  async #sayAlive(): Promise<void> {
    const { jobIds } = this.#hand;
    if (jobIds.length > 0) await this.#tryTo(() => this.#parts.source.keepAlive(sliceQueueName, jobIds));
  }

  /** A step that fails is logged, and the next occasion tries it again. */
  async #tryTo(step: () => Promise<unknown>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'a step of the engine failed');
    }
  }
}
