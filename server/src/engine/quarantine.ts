import type { Context } from '../core/context.ts';
import { recordQuarantinedRows } from '../domains/batches/slices/crashes.ts';
import type { LeasedRow, LeasedSlice } from './leased-slice.ts';

/** So many rows of a suspect slice are under way together. */
export const trialRows = 8;
/**
 * A process that is killed from outside dies at any time, one that a row kills dies of that row. So an accused row is only
 * tried when the process has lived for ten times as long as any call has taken: to be killed three times during just this
 * one is then no chance.
 */
const calm = { milliseconds: 5_000, calls: 10 };
const retryMilliseconds = 1_000;

interface Parts {
  /** These may be sent as others are. */
  onFree: (rows: LeasedRow[]) => void;
  /** There is something to send again, or a call to wait for. */
  onChange: () => void;
}

/**
 * Holds the rows of slices that several processes had in hand when they died. They go in small groups, each written down
 * before it is sent, so that the next process knows whom to accuse. An accused row goes after all others of its kind, and
 * alone: nothing else is sent meanwhile.
 */
export class Quarantine {
  readonly #ctx: Context;
  readonly #parts: Parts;
  readonly #startedAt = performance.now();
  #longestCall = 0;
  #waiting: LeasedRow[] = [];
  #group: LeasedRow[] = [];
  #alone: { held: LeasedRow; step: 'wanted' | 'noting' | 'ready' | 'sent' } | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  /** Everything waits for one row. */
  get isAlone(): boolean {
    return this.#alone !== null;
  }

  /** That one can be sent. */
  get isReady(): boolean {
    return this.#alone?.step === 'ready';
  }

  add(rows: readonly LeasedRow[]): void {
    this.#waiting.push(...rows);
    this.#goOn();
  }

  sawCall(milliseconds: number): void {
    this.#longestCall = Math.max(this.#longestCall, milliseconds);
  }

  /** No call is under way, so that the one row can be alone. */
  whenQuiet(): void {
    const alone = this.#alone;
    if (alone?.step !== 'wanted') return;
    alone.step = 'noting';
    void this.#note(alone.held.slice, [alone.held]).then((isNoted) => {
      if (!isNoted || alone.held.slice.isOver)
        return this.#release(alone.held, { isFree: isNoted });
      alone.step = 'ready';
      this.#parts.onChange();
    });
  }

  next(): LeasedRow | undefined {
    if (this.#alone?.step !== 'ready') return undefined;
    this.#alone.step = 'sent';
    return this.#alone.held;
  }

  /** It was settled or given up. */
  left({ slice, row }: LeasedRow): void {
    this.#group = this.#group.filter((held) => held.slice !== slice || held.row !== row);
    if (this.#alone?.held.slice === slice && this.#alone.held.row === row) this.#alone = null;
    this.#goOn();
    this.#parts.onChange();
  }

  /** It waits for another try, and is not to be accused of what happens meanwhile. */
  putOff(held: LeasedRow): void {
    this.left(held);
    void this.#note(
      held.slice,
      this.#group.filter(({ slice }) => slice === held.slice),
    );
  }

  /** Takes out what waits of a slice. */
  take(slice: LeasedSlice): LeasedRow[] {
    const taken = this.#waiting.filter((held) => held.slice === slice);
    this.#waiting = this.#waiting.filter((held) => held.slice !== slice);
    const { held, step } = this.#alone ?? {};
    if (held?.slice !== slice || (step !== 'wanted' && step !== 'ready')) return taken;
    this.#alone = null;
    return [...taken, held];
  }

  #goOn(): void {
    const [first] = this.#waiting;
    if (!first || this.#group.length > 0 || this.#alone) return;
    const innocent = this.#waiting.find(({ accused }) => accused === 0);
    if (innocent) void this.#sendGroup(innocent.slice);
    else this.#sendAlone(first);
  }

  async #sendGroup(slice: LeasedSlice): Promise<void> {
    const group = this.#waiting
      .filter((held) => held.slice === slice && held.accused === 0)
      .slice(0, trialRows);
    this.#waiting = this.#waiting.filter((held) => !group.includes(held));
    this.#group = group;
    if (await this.#note(slice, group)) return this.#parts.onFree([...group]);
    this.#group = [];
    this.#waiting.unshift(...group);
    this.#goOnLater(retryMilliseconds);
  }

  #sendAlone(held: LeasedRow): void {
    const wanted = Math.max(calm.milliseconds, calm.calls * this.#longestCall);
    const wait = this.#startedAt + wanted - performance.now();
    if (wait > 0) {
      this.#goOnLater(wait);
      return;
    }
    this.#waiting = this.#waiting.filter((other) => other !== held);
    this.#alone = { held, step: 'wanted' };
    this.#parts.onChange();
  }

  #release(held: LeasedRow, { isFree }: { isFree: boolean }): void {
    this.#alone = null;
    if (isFree) this.#parts.onFree([held]);
    else this.#waiting.push(held);
    this.#goOnLater(retryMilliseconds);
    this.#parts.onChange();
  }

  #goOnLater(milliseconds: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#goOn();
    }, milliseconds).unref();
  }

  async #note({ batchId, first }: LeasedSlice, rows: readonly LeasedRow[]): Promise<boolean> {
    try {
      await recordQuarantinedRows(this.#ctx, { batchId, first, rows: rows.map(({ row }) => row) });
      return true;
    } catch (error) {
      this.#ctx.log.error({ err: error, batch: batchId }, 'a trial could not be written down');
      return false;
    }
  }
}
