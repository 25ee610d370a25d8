import type { Context } from '../core/context.ts';
import type { Notice } from '../core/event-bus.ts';
import { pauseByEngine, resumeAfterOutage } from '../domains/batches/lifecycle/engine-pause.ts';
import { sliceQueueName } from '../domains/batches/rules.ts';
import { loadCooldown, saveCooldown } from '../domains/batches/slices/cooldowns.ts';
import { recordCrashes } from '../domains/batches/slices/crashes.ts';
import { rescueBatches } from '../domains/batches/slices/recover.ts';
import { isDiskFull, isDiskRoomy } from '../lib/disk-room.ts';
import { Dispatcher } from './dispatcher.ts';
import { CircuitBreaker } from './limits/circuit-breaker.ts';
import type { ConcurrencyLimiter } from './limits/concurrency-limiter.ts';
import { LocalQueue } from './local-queue.ts';
import type { ChatModel, SliceSource } from './port.ts';
import { ResultWriter } from './result-writer.ts';
import { SliceFetcher } from './slice-fetcher.ts';

interface Parts {
  source: SliceSource;
  chat: ChatModel;
  pace: ConcurrencyLimiter;
  /** Nobody else works on this database: what is in the queue or in hand at the start is in nobody's hands. */
  isAlone: boolean;
  /** How long an outage of the provider is left alone before it is asked after. */
  outageRestMilliseconds?: number | undefined;
}

const lookMilliseconds = 2_000;
const aliveMilliseconds = 5_000;
const outageRestMilliseconds = 15_000;
/** Whether a provider answers at all is known after this, however long a row may take. */
const signOfLifeMilliseconds = 30_000;
const signOfLife = 'Please answer with the word OK.';
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
  readonly #hand: LocalQueue;
  readonly #settler: ResultWriter;
  readonly #asker: Dispatcher;
  readonly #claimer: SliceFetcher;
  readonly #breaker: CircuitBreaker;
  readonly #farewell = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #unsubscribe = () => {};
  #keptRest = 0;
  #isFull = false;
  #hasLooked = false;

  constructor(ctx: Context, parts: Parts) {
    const { chat, pace, source } = parts;
    this.#ctx = ctx;
    this.#parts = parts;
    this.#hand = new LocalQueue(ctx, {
      onSettled: () => this.#claimer.refill(),
      onSliceEnded: () => this.#claimer.look(),
      onSendable: () => this.#asker.pump(),
    });
    this.#settler = new ResultWriter(ctx, this.#hand);
    this.#breaker = new CircuitBreaker({
      now: () => performance.now(),
      restMilliseconds: parts.outageRestMilliseconds ?? outageRestMilliseconds,
      isAlive: (model) => this.#isAlive(model),
      onOpen: () => void this.#pauseAll('provider_down'),
      onClosed: () => void this.#goOn(),
    });
    this.#asker = new Dispatcher(ctx, {
      chat,
      pace,
      breaker: this.#breaker,
      hand: this.#hand,
      settler: this.#settler,
      onRefused: (batchId, detail) => this.#pauseRefused(batchId, detail),
      onRest: () => void this.#saveCooldown(),
    });
    this.#claimer = new SliceFetcher(ctx, {
      source,
      hand: this.#hand,
      settler: this.#settler,
      // In an outage other workers may still reach the provider; where there are none, batches are told to wait.
      mayClaim: () =>
        !this.#isFull && (this.#breaker.isClosed || (this.#breaker.isOpen && parts.isAlone)),
      isProviderDown: () => this.#breaker.isOpen,
      onClaimed: () => this.#asker.pump(),
    });
  }

  async start(): Promise<void> {
    const { pace, source, isAlone, chat } = this.#parts;
    const rest = await loadCooldown(this.#ctx, chat.name);
    if (rest) pace.rest(rest.getTime());
    if (isAlone) {
      const held = (await source.listHeld(sliceQueueName)) as { batch_id: string; first: number }[];
      await recordCrashes(
        this.#ctx,
        held.map(({ batch_id: batchId, first }) => ({ batchId, first })),
      );
      await source.clear(sliceQueueName);
      await rescueBatches(this.#ctx);
    }
    await resumeAfterOutage(this.#ctx);
    if (isAlone) this.#every(lookMilliseconds, () => void this.#tryTo(() => this.#lookForRoom()));
    this.#unsubscribe = this.#ctx.notices.subscribe((notice) => this.#hear(notice));
    this.#every(lookMilliseconds, () => this.#claimer.look());
    this.#every(lookMilliseconds, () => void this.#saveCooldown());
    this.#every(aliveMilliseconds, () => void this.#sayAlive());
    this.#claimer.look();
  }

  /** Takes nothing new, lets what is in flight end, stores it, and hands the rest back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    for (const timer of this.#timers) clearInterval(timer);
    this.#breaker[Symbol.dispose]();
    this.#farewell.abort();
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
    if (state === 'running') {
      this.#claimer.look();
    } else if (state || is_deleted) {
      this.#claimer.hear(batchId);
      this.#hand.stopSending(batchId, { isStopped: state === 'stopped' });
    }
  }

  async #pauseRefused(batchId: string, detail: string): Promise<void> {
    this.#hand.stopSending(batchId, { isStopped: false });
    await this.#tryTo(() =>
      pauseByEngine(this.#ctx, { batchId, reason: 'provider_refused', detail }),
    );
    // What was claimed meanwhile.
    this.#claimer.hear(batchId);
    this.#hand.stopSending(batchId, { isStopped: false });
  }

  /** The provider is down for everybody, or no answer could be kept: batches wait instead of using up the tries of their rows. */
  async #pauseAll(reason: 'provider_down' | 'storage_full'): Promise<void> {
    for (const batchId of this.#hand.batchIds)
      await this.#tryTo(() => pauseByEngine(this.#ctx, { batchId, reason }));
  }

  /** Where the answers lie on our own disk: batches wait before it is full, and go on when there is room. */
  async #lookForRoom(): Promise<void> {
    const { dataDirectory } = this.#ctx.config;
    if (isDiskFull(dataDirectory)) {
      this.#isFull = true;
      await this.#pauseAll('storage_full');
    } else if (isDiskRoomy(dataDirectory)) {
      const wasFull = this.#isFull;
      this.#isFull = false;
      if (wasFull || !this.#hasLooked) await resumeAfterOutage(this.#ctx, 'storage_full');
      this.#hasLooked = true;
      if (wasFull) this.#claimer.look();
    }
  }

  /** The provider answers. After a mere doubt there is nothing to resume. */
  async #goOn(): Promise<void> {
    await this.#tryTo(() => resumeAfterOutage(this.#ctx));
    this.#asker.pump();
    this.#claimer.look();
  }

  /** Whatever comes back, even a refusal, is a sign of life; only silence, a failure and a bare "later" are none. */
  async #isAlive(model: string): Promise<boolean> {
    const deadlineMilliseconds = Math.min(
      signOfLifeMilliseconds,
      this.#ctx.config.chat.deadlineMilliseconds,
    );
    const plain = { system: null, temperature: null, maxTokens: null, outputs: [] };
    const { signal } = this.#farewell;
    const outcome = await this.#ctx.chat.ask({
      model,
      prompt: signOfLife,
      ...plain,
      deadlineMilliseconds,
      signal,
    });
    if (outcome.kind === 'try_later') return outcome.retryAt !== null;
    return outcome.kind !== 'broken' && outcome.kind !== 'aborted';
  }

  /** Also what single questions have learned outlives a restart. */
  async #saveCooldown(): Promise<void> {
    const { pace, chat } = this.#parts;
    const { restUntil } = pace;
    if (restUntil <= this.#keptRest) return;
    this.#keptRest = restUntil;
    await this.#tryTo(() =>
      saveCooldown(this.#ctx, { model: chat.name, until: new Date(restUntil) }),
    );
  }

  async #sayAlive(): Promise<void> {
    const { claims } = this.#hand;
    if (claims.length === 0) return;
    await this.#tryTo(async () => {
      const ours = new Set(await this.#parts.source.keepAlive(sliceQueueName, claims));
      const lost = new Set(claims.filter(({ id }) => !ours.has(id)));
      this.#hand.letGo((claim) => lost.has(claim));
    });
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
