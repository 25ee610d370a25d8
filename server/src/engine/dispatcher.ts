// size: every event of the engine, and the actions that follow
import type { BatchState } from '@rowmill/contract';
import type { Context } from '../core/context.ts';
import type { Notice } from '../core/event-bus.ts';
import { record } from '../core/events.ts';
import type { AskOptions } from '../db/schema.ts';
import type { EnginePause } from '../domains/batches/lifecycle/engine-pause.ts';
import type { Corrections } from './corrections.ts';
import { decideRetry } from './decide-retry.ts';
import type { EngineEvent, EventOf } from './events.ts';
import { type LeasedRow, type LeasedSlice, newRow } from './leased-slice.ts';
import type { Leases } from './leases.ts';
import type { CircuitBreaker } from './limits/circuit-breaker.ts';
import type { Economy } from './limits/economy.ts';
import type { Lane, ProviderLanes, Public } from './limits/provider-lanes.ts';
import type { RequestRefusals } from './limits/request-refusals.ts';
import type { LocalQueue } from './local-queue.ts';
import type { Quarantine } from './quarantine.ts';
import type { ResultWriter } from './result-writer.ts';
import type { Sender } from './sender.ts';
import type { SliceFetcher } from './slice-fetcher.ts';

export interface Parts {
  leases: Public<Leases>;
  fetcher: Public<SliceFetcher>;
  queue: Public<LocalQueue>;
  sender: Public<Sender>;
  quarantine: Public<Quarantine>;
  writer: Public<ResultWriter>;
  corrections: Public<Corrections>;
  lanes: Pick<ProviderLanes, 'of' | 'all'>;
  breakers: {
    of(model: string): Public<CircuitBreaker>;
    find(key: string): Public<CircuitBreaker> | undefined;
    keyOf(model: string): string;
  };
  refusals: Public<RequestRefusals>;
  economy: Pick<Economy, 'note'>;
  /** Running batches that no process has leased a slice of. */
  listUnleased(): Promise<{ id: string; model: string }[]>;
  pauseBatch(batchId: string, pause: EnginePause): Promise<void>;
  /** Resumes the batches of one circuit breaker, or all. */
  resumeBatches(pausedFor: 'provider_down' | 'storage_full', breakerKey?: string): Promise<void>;
  /** Whether a small question with the key of the model, and with options, is answered. */
  probeKey(model: string, options?: AskOptions): Promise<boolean>;
  diskSpace(): 'full' | 'low' | 'enough';
  saveCooldown(lane: string, until: Date): Promise<void>;
}

/** Calls in flight of a stopped batch may still be answered, stored and charged within this. */
const stopGraceMilliseconds = 5_000;
/** A batch with so few open rows is not paused because the provider refuses it alone. */
const fewRows = 20;

/**
 * Receives every event of the engine and performs the actions that follow (`#perform`). README.md
 * explains the states of slices and rows.
 */
export class Dispatcher {
  readonly #ctx: Context;
  readonly #parts: Parts;
  #disk: 'unknown' | 'full' | 'enough' = 'unknown';
  readonly #savedCooldowns = new WeakMap<Lane['limiter'], number>();
  /** Of keys by model, and of requests by batch. */
  readonly #tests = new Map<string, Promise<boolean>>();

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  /** The synchronous part runs at once, so the caller sees its effects. Logs errors. */
  handle(event: EngineEvent): Promise<void> | undefined {
    const log = (error: unknown) =>
      this.#ctx.log.error(
        { err: error, event: event.type },
        'the engine could not handle an event',
      );
    try {
      return this.#perform(event)?.catch(log);
    } catch (error) {
      log(error);
      return undefined;
    }
  }

  /** Undefined when nothing is left to do: an answer needs no promise. */
  #perform(event: EngineEvent): Promise<void> | undefined {
    const { fetcher, quarantine, queue, sender } = this.#parts;
    switch (event.type) {
      case 'poll_due':
        // Their rows may wait for hours for the earlier provider.
        for (const slice of this.#parts.leases.moved) this.#drain(slice);
        fetcher.fetch();
        // A batch that waits for another of its rows may have lost that row with its slice.
        sender.sendRows();
        return this.#saveCooldowns();

      case 'heartbeat_due':
        return this.#renewLeases();

      case 'disk_check_due':
        return this.#checkDisk();

      case 'notice_arrived':
        this.#onNotice(event.notice);
        break;

      case 'slice_leased':
        this.#onSliceLeased(event);
        sender.sendRows();
        break;

      case 'slice_ended':
        fetcher.fetch();
        break;

      case 'slot_free':
        sender.sendRows();
        break;

      case 'retry_due':
        if (event.row.slice.isSuspected) quarantine.add([event.row]);
        else queue.add(event.row);
        sender.sendRows();
        break;

      case 'quarantine_ready':
        for (const { row, ...why } of event.unasked) this.#parts.writer.addUnasked(row, why);
        for (const row of event.rows) {
          if (row.slice.isDraining) this.#giveUp([row]);
          else queue.add(row);
        }
        sender.sendRows();
        break;

      case 'answer_arrived':
        return this.#onAnswer(event);

      case 'rows_stored':
        this.#close(event.rows);
        if (event.state !== 'running') this.#drainBatch(event.batchId, event.state);
        break;

      case 'rows_not_storable':
        return this.#onNotStorable(event);

      case 'shutdown_started':
        for (const slice of this.#parts.leases.slices) this.#drain(slice);
        break;

      case 'provider_down':
        return this.#pauseBatchesOf(event.breakerKey);

      case 'provider_up':
        return this.#onProviderUp(event);
    }
    return undefined;
  }

  /** Calls of a lost slice may still be answered. Only a row's first result is charged. */
  async #renewLeases(): Promise<void> {
    for (const slice of await this.#parts.leases.renew()) this.#drain(slice);
  }

  async #onNotStorable({ batchId, rows, pause }: EventOf<'rows_not_storable'>): Promise<void> {
    await this.#pause(batchId, pause);
    this.#giveUp(rows);
  }

  async #onProviderUp({ breakerKey }: EventOf<'provider_up'>): Promise<void> {
    const { fetcher, resumeBatches, sender } = this.#parts;
    await this.#try(() => resumeBatches('provider_down', breakerKey));
    sender.sendRows();
    fetcher.fetch();
  }

  /** A started batch may have slices to fetch; a paused, stopped or deleted one sends no rows. */
  #onNotice({
    batch_id: batchId,
    state,
    is_deleted: isDeleted,
    cooldown_ended: key,
  }: Notice): void {
    // Their refused rows may wait for hours.
    if (key)
      for (const slice of this.#parts.leases.slices)
        if (slice.providerKey === key) this.#drain(slice);
    if (!batchId) return;
    if (state === 'running') this.#parts.fetcher.fetch();
    else if (state || isDeleted) this.#drainBatch(batchId, state ?? null);
  }

  /** Pauses batches before the disk is full, and resumes them when there is space. */
  async #checkDisk(): Promise<void> {
    const { diskSpace, fetcher, resumeBatches } = this.#parts;
    const space = diskSpace();
    if (space === 'full') {
      this.#disk = 'full';
      fetcher.isBlocked = true;
      await this.#pauseAll({ reason: 'storage_full' });
    } else if (space === 'enough' && this.#disk !== 'enough') {
      await resumeBatches('storage_full');
      this.#disk = 'enough';
      fetcher.isBlocked = false;
      fetcher.fetch();
    }
  }

  #onSliceLeased({ lease, fetched }: EventOf<'slice_leased'>): void {
    const { corrections, leases, quarantine, queue, refusals, writer } = this.#parts;
    refusals.forgetOthers(leases.slices);
    const slice = leases.add(lease, fetched);
    const { batchId, first, openRows } = slice;
    record(this.#ctx, 'slice_leased', { batch: batchId, first, rows: openRows });
    for (const unasked of fetched.unasked) writer.addUnasked(newRow(slice, unasked), unasked);
    for (const row of fetched.rows) queue.add(corrections.resume(newRow(slice, row)));
    const { unread, crashCounts } = fetched;
    const crashCountOf = (row: number) => crashCounts[row] ?? 0;
    const suspected = unread.map((row) => newRow(slice, { row, crashCount: crashCountOf(row) }));
    if (suspected.length > 0) quarantine.add(suspected.map((row) => corrections.resume(row)));
  }

  #onAnswer(event: EventOf<'answer_arrived'>): Promise<void> | undefined {
    const { row, outcome, milliseconds } = event;
    const { breakers, economy, refusals, sender } = this.#parts;
    const breaker = breakers.of(row.slice.model);
    breaker.note(outcome, row.slice);
    if (outcome.kind === 'try_later') void this.#saveCooldowns();
    refusals.note(outcome, row.slice);
    const done =
      outcome.kind === 'broken'
        ? breaker.isDown().then((isDown) => this.#applyDecision(event, isDown))
        : economy.note(outcome, row.slice, milliseconds)
          ? this.#pauseRefused([row], { reason: 'no_capacity' })
          : this.#applyDecision(event);
    if (done) return done.then(() => sender.sendRows());
    sender.sendRows();
    return undefined;
  }

  #applyDecision(
    { row, outcome, milliseconds }: EventOf<'answer_arrived'>,
    isProviderDown = false,
  ): Promise<void> | undefined {
    const { corrections, lanes, refusals, writer } = this.#parts;
    const { limiter } = lanes.of(row.slice.model);
    const isRefusal = outcome.kind === 'provider_refused';
    const isPutOff = isRefusal || outcome.kind === 'try_later';
    const isPostponed = isPutOff && limiter.answers > row.answersWhenPostponed;
    const postponed = row.postponed + (isPostponed ? 1 : 0);
    const decision = decideRetry(outcome, {
      attempts: row.attempts,
      postponed,
      isProviderDown,
      isCorrected: row.correction !== undefined,
      isKeyRefused:
        isRefusal && !row.slice.isDraining && refusals.refuseKey(row.slice, milliseconds),
      isRefusedAlone: limiter.takeRefusedAlone(row.slice.batchId) && this.#hasManyRows(row),
    });
    switch (decision.act) {
      case 'save':
        writer.addAnswer(row, decision);
        break;
      case 'fail':
        writer.addFailure(row, decision);
        break;
      case 'retry': {
        const { attempts, correction = row.correction, waitMilliseconds: wait } = decision;
        const answersWhenPostponed = limiter.answers;
        const again = { ...row, attempts, correction, postponed, answersWhenPostponed };
        if (decision.correction) corrections.add(again);
        this.#retry(again, wait);
        break;
      }
      case 'hold':
        return this.#onRequestRefused(row, decision.problem);
      case 'test_key':
        return this.#testKey(row, decision.problem);
      case 'pause':
        return this.#onKeyRefused(row, decision);
      case 'give_up':
        this.#giveUp([row]);
        break;
    }
    return undefined;
  }

  /** Few rows cost little: they are asked until each is answered or fails. */
  #hasManyRows({ slice: { batchId } }: LeasedRow): boolean {
    const { slices } = this.#parts.leases;
    const own = slices.filter((slice) => slice.batchId === batchId);
    return own.reduce((rows, { openRows }) => rows + openRows, 0) > fewRows;
  }

  #retry(row: LeasedRow, waitMilliseconds: number): void {
    const { fetcher, quarantine, queue } = this.#parts;
    if (row.slice.isDraining) {
      this.#giveUp([row]);
      return;
    }
    if (row.slice.isSuspected) quarantine.postpone(row);
    queue.retryLater(row, waitMilliseconds);
    fetcher.refill();
  }

  /** A filter in front of the provider may refuse rows with the status of a bad key. */
  async #testKey(row: LeasedRow, problem: string): Promise<void> {
    const { batchId, model } = row.slice;
    const { probeKey, sender } = this.#parts;
    await sender.holdDuring(batchId, async () => {
      const isGood = await this.#testOnce(model, () => probeKey(model));
      if (isGood) await this.#onRequestRefused(row, problem);
      else await this.#onKeyRefused(row, { detail: problem });
    });
  }

  /** Rows that wait for the same test share it. */
  #testOnce(name: string, test: () => Promise<boolean>): Promise<boolean> {
    const running = this.#tests.get(name) ?? test().finally(() => this.#tests.delete(name));
    this.#tests.set(name, running);
    return running;
  }

  /** Of several calls only the first pauses: a late pause would stop a batch resumed meanwhile. */
  async #onKeyRefused(row: LeasedRow, pause: Omit<EnginePause, 'reason'>): Promise<void> {
    if (row.slice.isDraining) return this.#giveUp([row]);
    const { detail, retryAt } = pause;
    await this.#pauseRefused([row], { reason: 'provider_refused', detail, retryAt });
  }

  async #onRequestRefused(row: LeasedRow, problem: string): Promise<void> {
    const { leases, refusals, writer } = this.#parts;
    if (row.slice.isDraining) return this.#giveUp([row]);
    const rows = refusals.refuse(row, problem, leases.slices);
    if (!rows) return;
    if (refusals.wasAnswered(row.slice.batchId) && (await this.#isRequestGood(row)))
      for (const refused of rows) writer.addFailure(refused, { problem });
    else if (row.slice.isDraining) this.#giveUp(rows);
    else await this.#pauseRefused(rows, { reason: 'request_refused', detail: problem });
  }

  /** Whether rows are at fault: the provider answers a small question with the same options. */
  async #isRequestGood({ slice: { batchId, model, options } }: LeasedRow): Promise<boolean> {
    const { probeKey, refusals, sender } = this.#parts;
    if (!refusals.wasTested(batchId))
      await sender.holdDuring(batchId, async () => {
        const isGood = await this.#testOnce(batchId, () => probeKey(model, options));
        if (isGood) refusals.noteTested(batchId);
      });
    return refusals.wasTested(batchId);
  }

  /** Sends no row of the batch until it is paused, so that a bad key is not called for each row. */
  async #pauseRefused(rows: readonly LeasedRow[], pause: EnginePause): Promise<void> {
    const batchId = rows[0]?.slice.batchId ?? '';
    await this.#parts.sender.holdDuring(batchId, async () => {
      this.#drainBatch(batchId, 'paused');
      await this.#pause(batchId, pause);
      // Slices that were leased meanwhile.
      this.#drainBatch(batchId, 'paused');
    });
    // The pause comes first: a slice that ends while its batch runs returns to the queue at once.
    this.#giveUp(rows);
  }

  async #pauseAll(pause: EnginePause): Promise<void> {
    for (const batchId of this.#parts.leases.activeBatchIds) await this.#pause(batchId, pause);
  }

  async #pause(batchId: string, pause: EnginePause): Promise<void> {
    await this.#try(() => this.#parts.pauseBatch(batchId, pause));
  }

  /** Other processes may reach the provider, so batches that only they have leased run on. */
  async #pauseBatchesOf(key: string): Promise<void> {
    const { breakers, leases, listUnleased } = this.#parts;
    const breaker = breakers.find(key);
    const own = leases.slices.filter(
      ({ isDraining, model }) => !isDraining && breakers.keyOf(model) === key,
    );
    const concerned = new Set(own.map((slice) => slice.batchId));
    await this.#try(async () => {
      for (const { id, model } of await listUnleased())
        if (breakers.keyOf(model) === key) concerned.add(id);
    });
    for (const batchId of concerned)
      if (breaker?.isOpen)
        await this.#pause(batchId, { reason: 'provider_down', detail: breaker.problem });
  }

  /** Cooldowns survive a restart. */
  async #saveCooldowns(): Promise<void> {
    for (const { name, limiter } of this.#parts.lanes.all) {
      const { cooldownUntil } = limiter;
      if (cooldownUntil <= (this.#savedCooldowns.get(limiter) ?? 0)) continue;
      this.#savedCooldowns.set(limiter, cooldownUntil);
      await this.#try(() => this.#parts.saveCooldown(name, new Date(cooldownUntil)));
    }
  }

  #drainBatch(batchId: string, state: BatchState | null): void {
    const { corrections, fetcher, leases } = this.#parts;
    fetcher.discardIfReading(batchId);
    if (state !== 'paused') corrections.forget(batchId);
    for (const slice of leases.slices) {
      if (slice.batchId !== batchId) continue;
      this.#drain(slice);
      if (state === 'stopped') setTimeout(() => slice.abort.abort(), stopGraceMilliseconds).unref();
    }
  }

  /** Gives up rows that were not sent. Calls in flight continue. */
  #drain(slice: LeasedSlice): void {
    if (slice.isDraining) return;
    slice.isDraining = true;
    const { quarantine, queue, refusals } = this.#parts;
    const rows = [...queue.take(slice), ...quarantine.take(slice), ...refusals.take(slice)];
    const { batchId, first } = slice;
    this.#ctx.log.debug({ batch: batchId, first, rows: rows.length }, 'slice draining');
    if (rows.length > 0) record(this.#ctx, 'rows_dropped', { batch: batchId, rows: rows.length });
    this.#giveUp(rows);
  }

  /** The rows stay unanswered until their slice is leased again. */
  #giveUp(rows: readonly LeasedRow[]): void {
    for (const { slice } of rows) slice.isIncomplete = true;
    this.#close(rows);
  }

  /** Rows were stored or given up. */
  #close(rows: readonly LeasedRow[]): void {
    const { fetcher, leases, quarantine, refusals } = this.#parts;
    leases.close(rows);
    const suspected = rows.filter(({ slice }) => slice.isSuspected);
    if (suspected.length > 0) quarantine.remove(suspected);
    refusals.failLast(rows, leases.slices);
    fetcher.refill();
  }

  async #try(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'a step of the engine failed');
    }
  }
}
