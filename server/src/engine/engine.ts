import { randomUUID } from 'node:crypto';
import type { Context } from '../core/context.ts';
import type { Notice } from '../core/event-bus.ts';
import { inTransaction } from '../db/transaction.ts';
import {
  endCooldowns,
  pauseByEngine,
  resumeAfterOutage,
} from '../domains/batches/lifecycle/engine-pause.ts';
import { AnswerMarker } from '../domains/batches/marks/answer-marker.ts';
import { raiseWaitingSlices } from '../domains/batches/slices/queue.ts';
import { recoverFromCrash } from '../domains/batches/slices/recover.ts';
import { sliceQueueName } from '../domains/batches/slices/sizes.ts';
import { listUnleased } from '../domains/batches/store/batches.ts';
import { listCooldowns, upsertCooldown } from '../domains/batches/store/cooldowns.ts';
import { callsAtOnce, isModelRemoved } from '../domains/prompts/models.ts';
import { after, monotonicNow } from '../lib/clock.ts';
import { diskSpaceOf } from '../lib/disk-space.ts';
import { orLog } from '../lib/failed-work.ts';
import { AnswerJournal } from './answer-journal.ts';
import { Corrections } from './corrections.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Emit, EngineEvent } from './events.ts';
import type { LeasedRow, LeasedSlice } from './leased-slice.ts';
import { Leases } from './leases.ts';
import { CircuitBreakers } from './limits/circuit-breakers.ts';
import { CooldownProbes, type WaitingLane } from './limits/cooldown-probes.ts';
import { Economy } from './limits/economy.ts';
import { LaneShares } from './limits/lane-shares.ts';
import { type Limits, ProviderLanes } from './limits/provider-lanes.ts';
import { RequestRefusals } from './limits/request-refusals.ts';
import { publishIntervalMilliseconds } from './limits/worker-shares.ts';
import { LocalQueue } from './local-queue.ts';
import { callModel, probeKey, probeProvider } from './model-calls.ts';
import type { ChatModel, ChatOutcome, SliceSource, TraceRow } from './port.ts';
import { Quarantine } from './quarantine.ts';
import { replayJournals } from './replay-journals.ts';
import { ResultWriter } from './result-writer.ts';
import { Resumer } from './resumer.ts';
import { Sender } from './sender.ts';
import { SliceFetcher } from './slice-fetcher.ts';

interface Parts {
  source: SliceSource;
  chat: ChatModel;
  limits: Limits;
  /** No other process uses this database, so every lease found at the start is stale. */
  isOnlyProcess: boolean;
  /** Time for calls in flight at a shutdown. */
  shutdownMilliseconds: number;
  traceRow?: TraceRow;
  /** Time between two probes of a provider that is down. */
  probeIntervalMilliseconds?: number;
  /** Time between two attempts to resume batches that nothing else resumes. */
  resumeIntervalMilliseconds?: number;
}

/** Notices announce new work at once; this finds what a lost notice or a crashed process left. */
const pollMilliseconds = 2_000;
/** A third of the 15 seconds after which the job queue gives a slice to another process. */
const heartbeatMilliseconds = 5_000;
/** Batches resume at most this long after an outage. Four probes a minute cost nothing. */
const probeIntervalMilliseconds = 15_000;
/** No event tells that a disk has space again, or that an outage ended whose process died. */
const resumeIntervalMilliseconds = 30_000;

/** Starts and stops the dispatcher and its parts, and emits timers and notices as events. */
export class Engine implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #parts: Parts;
  readonly #dispatcher: Dispatcher;
  readonly #leases: Leases;
  readonly #fetcher: SliceFetcher;
  readonly #sender: Sender;
  readonly #writer: ResultWriter;
  readonly #lanes: ProviderLanes;
  readonly #breakers: CircuitBreakers;
  readonly #journal: AnswerJournal | null;
  /** Null for the only process. */
  readonly #shares: LaneShares | null;
  #publishing: Promise<void> = Promise.resolve();
  readonly #resumer: Resumer;
  readonly #corrections: Corrections;
  readonly #economy = new Economy();
  readonly #cooldownProbes: CooldownProbes;
  readonly #shutdown = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #unsubscribe = () => {};
  #stopped: Promise<void> | null = null;

  constructor(ctx: Context, parts: Parts) {
    const { limits, source, isOnlyProcess } = parts;
    this.#ctx = ctx;
    this.#parts = parts;
    const emit: Emit = (event) => this.#dispatcher.handle(event);
    const { signal } = this.#shutdown;
    const breakerKeyOf = (model: string) => ctx.models.breakerKeyOf(model);
    const breakers = new CircuitBreakers({
      breakerKeyOf,
      probeIntervalMilliseconds: parts.probeIntervalMilliseconds ?? probeIntervalMilliseconds,
      probe: (model) => probeProvider(ctx, { model, signal }),
      emit,
    });
    // Not the model of the context, which sends nothing during a cooldown.
    const unthrottled = { ...ctx, chat: parts.chat };
    this.#cooldownProbes = new CooldownProbes({
      now: () => ctx.clock.now().getTime(),
      probe: (model) => probeKey(unthrottled, { model, signal }),
      end: (key) => inTransaction(ctx, (inside) => endCooldowns(inside, key)),
    });
    const lanes = new ProviderLanes(limits);
    const leases = new Leases(ctx, { source, lanes, emit });
    const queue = new LocalQueue(emit);
    const quarantine = new Quarantine(ctx, emit);
    this.#lanes = lanes;
    this.#breakers = breakers;
    this.#resumer = new Resumer(ctx, { breakers, isOnlyProcess, signal });
    this.#leases = leases;
    this.#shares = isOnlyProcess ? null : this.#openShares();
    this.#journal = AnswerJournal.take(ctx.config.dataDirectory, ctx.log);
    const corrections = new Corrections(this.#journal);
    this.#corrections = corrections;
    const marker = new AnswerMarker();
    this.#writer = new ResultWriter(ctx, {
      leases,
      journal: this.#journal,
      corrections,
      marker,
      emit,
    });
    const refusals = new RequestRefusals((row, problem) =>
      this.#writer.addFailure(row, { problem }),
    );
    this.#fetcher = new SliceFetcher(ctx, { source, leases, breakers, marker, emit });
    this.#sender = new Sender(ctx, {
      queue,
      quarantine,
      lanes,
      breakers,
      refusals,
      fetcher: this.#fetcher,
      callModel: (row) => this.#callModel(row),
      emit,
    });
    this.#dispatcher = new Dispatcher(ctx, {
      economy: this.#economy,
      leases,
      lanes,
      breakers,
      refusals,
      fetcher: this.#fetcher,
      writer: this.#writer,
      corrections,
      queue,
      quarantine,
      sender: this.#sender,
      listUnleased: () => listUnleased(ctx.db, sliceQueueName),
      pauseBatch: (batchId, pause) => pauseByEngine(ctx, { batchId, ...pause }),
      resumeBatches: (pausedFor, key) =>
        resumeAfterOutage(
          ctx,
          pausedFor,
          // A batch whose model was removed pauses again, and says why.
          (batch) => !key || breakerKeyOf(batch.model) === key || isModelRemoved(ctx, batch),
        ),
      probeKey: (model, options) => probeKey(ctx, { model, options, signal }),
      diskSpace: () => diskSpaceOf(ctx.config.dataDirectory),
      saveCooldown: (lane, until) => this.#saveCooldown(lane, until),
    });
  }

  /** Stores a cooldown for the next start and publishes it to the other processes. */
  async #saveCooldown(lane: string, until: Date): Promise<void> {
    const { clock, db } = this.#ctx;
    const end = after(clock.now(), until.getTime() - monotonicNow());
    await upsertCooldown(db, { model: lane, until: end });
    await this.#ctx.publish(db, { user_id: '', cooldown: { model: lane, until: end.getTime() } });
  }

  #callModel(row: LeasedRow): Promise<ChatOutcome> {
    const { chat, traceRow } = this.#parts;
    if (row.trace === undefined) row.trace = traceRow?.({ ...row.slice, row: row.row }) ?? null;
    const serviceTier = this.#maySendFlex(row.slice) ? 'flex' : undefined;
    if (!row.trace) return callModel(this.#ctx, chat, row, serviceTier);
    return row.trace.call(() => callModel(this.#ctx, chat, row, serviceTier));
  }

  #maySendFlex({ finishBy, model, rowsAhead }: LeasedSlice): boolean {
    if (finishBy === null) return false;
    return this.#economy.maySendFlex(model, {
      now: this.#ctx.clock.now().getTime(),
      finishBy,
      rowsAhead,
      callsAtOnce: callsAtOnce(this.#ctx, model),
      limits: this.#lanes.of(model).limiter,
    });
  }

  /** Whether calls to a provider wait, because it is or may be down. */
  get isHeld(): boolean {
    return !this.#breakers.areAllClosed;
  }

  async start(): Promise<void> {
    const { isOnlyProcess, source } = this.#parts;
    await this.#loadCooldowns();
    this.#joinShares();
    await this.#replayAbandoned();
    if (isOnlyProcess) await recoverFromCrash(this.#ctx, source);
    this.#unsubscribe = this.#ctx.notices.subscribe((notice) => {
      if (notice.worker) this.#shares?.onUpdate(notice.worker);
      else this.#emit({ type: 'notice_arrived', notice });
    });
    if (this.#shares) {
      const publishChanges = () => this.#shares?.publishChanges();
      this.#timers.push(setInterval(publishChanges, publishIntervalMilliseconds));
      publishChanges();
    }
    // Other processes have a database server, with its own disk.
    if (isOnlyProcess) this.#every(pollMilliseconds, { type: 'disk_check_due' });
    const { resumeIntervalMilliseconds: interval = resumeIntervalMilliseconds } = this.#parts;
    this.#timers.push(setInterval(() => this.#resumer.resume(), interval));
    this.#timers.push(setInterval(() => void this.#probeCooldowns(), interval));
    this.#every(pollMilliseconds, { type: 'poll_due' });
    this.#timers.push(setInterval(() => void this.#raiseSlices(), pollMilliseconds));
    this.#every(heartbeatMilliseconds, { type: 'heartbeat_due' });
    this.#timers.push(setInterval(() => void this.#replayAbandoned(), heartbeatMilliseconds));
    this.#emit({ type: 'poll_due' });
    this.#resumer.start();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Stops leasing and sending, waits for calls in flight, stores results and releases slices. */
  async #stop(): Promise<void> {
    this.#breakers[Symbol.dispose]();
    this.#shutdown.abort();
    const fetched = this.#fetcher.close();
    this.#emit({ type: 'shutdown_started' });
    const deadline = setTimeout(() => this.#leases.abortAll(), this.#parts.shutdownMilliseconds);
    await Promise.all([fetched, this.#sender.whenNoCallInFlight()]);
    clearTimeout(deadline);
    this.#unsubscribe();
    for (const timer of this.#timers) clearInterval(timer);
    this.#shares?.end();
    await Promise.all([this.#publishing, this.#resumer.whenEnded()]);
    await this.#writer.flush();
    await this.#leases.whenEnded();
    this.#journal?.[Symbol.dispose]();
  }

  async #loadCooldowns(): Promise<void> {
    const { clock, db } = this.#ctx;
    const now = clock.now();
    for (const { model: lane, until } of await listCooldowns(db, now))
      this.#parts.limits.restoreCooldown(lane, monotonicNow() + until.getTime() - now.getTime());
  }

  /** Joins those that share the lanes of the default model and of those in the directory. */
  #joinShares(): void {
    const { limits } = this.#parts;
    for (const model of ['', ...this.#ctx.models.names]) this.#shares?.join(limits.of(model));
  }

  /** Stores the answers of dead workers on this machine, before others lease their slices. */
  #replayAbandoned(): Promise<void> {
    const { source } = this.#parts;
    const replay = () => replayJournals(this.#ctx, { source, corrections: this.#corrections });
    return this.#try(replay, 'could not store the answers of a killed process');
  }

  #raiseSlices(): Promise<void> {
    return this.#try(() => raiseWaitingSlices(this.#ctx), 'could not raise waiting slices');
  }

  #probeCooldowns(): Promise<void> {
    const waiting = new Map<string, WaitingLane>();
    for (const { isDraining, model } of this.#leases.slices) {
      const { key, name, limiter } = this.#lanes.of(model);
      if (!isDraining && limiter.cooldownUntil > monotonicNow())
        waiting.set(name, { key, name, model });
    }
    const check = () => this.#cooldownProbes.check([...waiting.values()]);
    return this.#try(check, 'could not end a cooldown');
  }

  #openShares(): LaneShares {
    return new LaneShares({
      worker: randomUUID(),
      lanes: this.#lanes,
      limits: this.#parts.limits,
      now: monotonicNow,
      countSlices: (name) => this.#leases.countSlices(name),
      publish: (worker) => {
        this.#publishing = this.#publishing.then(() => this.#publish({ user_id: '', worker }));
      },
    });
  }

  #publish(notice: Notice): Promise<void> {
    const publish = () => this.#ctx.publish(this.#ctx.db, notice);
    return this.#try(publish, 'could not publish to the other workers');
  }

  #try(step: () => Promise<unknown>, failure: string): Promise<void> {
    return orLog(this.#ctx.log, step, failure);
  }

  #every(milliseconds: number, event: EngineEvent): void {
    this.#timers.push(setInterval(() => this.#emit(event), milliseconds));
  }

  #emit(event: EngineEvent): void {
    void this.#dispatcher.handle(event);
  }
}
