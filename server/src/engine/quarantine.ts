import type { Context } from '../core/context.ts';
import { saveQuarantinedRows } from '../domains/batches/store/slices.ts';
import type { Emit, UnaskedLeasedRow } from './events.ts';
import type { LeasedRow, LeasedSlice } from './leased-slice.ts';

/** Rows sent together. A poisonous row leaves a crash count on at most 7 others. */
export const quarantineGroupRows = 8;
/**
 * Before a row with crashes is sent, the process must have run for ten times its longest call, and
 * at least this long. A process killed from outside dies at any time, so three deaths during this
 * row are not an accident (`npm run chaos -- --only kills`: 50 kills, no row failed).
 */
const calmLongestCalls = 10;
const calmAtLeastMilliseconds = 5_000;
/** After a statement failed; as often as the result writer retries. */
const retryMilliseconds = 1_000;

interface Prepared {
  rows: LeasedRow[];
  unasked: UnaskedLeasedRow[];
}

/**
 * Holds the rows of slices that several processes held when they crashed. They go out in small
 * groups, recorded before they are read and sent, so that the next process knows which rows to
 * count a crash for. A row with a crash count goes last and alone.
 */
export class Quarantine {
  readonly #ctx: Context;
  readonly #emit: Emit;
  readonly #startedAt = performance.now();
  #longestCallMilliseconds = 0;
  #waiting: LeasedRow[] = [];
  #group: LeasedRow[] = [];
  #solo: { row: LeasedRow; step: 'recording' | 'ready' | 'sent' } | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(ctx: Context, emit: Emit) {
    this.#ctx = ctx;
    this.#emit = emit;
  }

  /** One row is recorded or sent alone: all others wait. */
  get isExclusive(): boolean {
    return this.#solo !== null;
  }

  /** Rows of which one may be sent alone now, in their order. */
  get suspects(): readonly LeasedRow[] {
    const isBusy = this.#group.length > 0 || this.#solo !== null || this.#timer !== null;
    return isBusy || !this.#isCalm || this.#firstClean ? [] : this.#waiting;
  }

  add(rows: readonly LeasedRow[]): void {
    this.#waiting.push(...rows);
    this.#advance();
  }

  noteCall(milliseconds: number): void {
    this.#longestCallMilliseconds = Math.max(this.#longestCallMilliseconds, milliseconds);
  }

  /** No call is in flight, so one of the suspects can be recorded. */
  async sendAlone(row: LeasedRow): Promise<void> {
    this.#waiting = this.#waiting.filter((other) => other !== row);
    this.#solo = { row, step: 'recording' };
    const prepared = await this.#prepare(row.slice, [row]);
    if (prepared?.rows.length === 1 && !row.slice.isDraining) {
      this.#solo = { row, step: 'ready' };
      await this.#emit({ type: 'slot_free' });
      return;
    }
    this.#solo = null;
    this.#advanceLater();
    if (prepared || row.slice.isDraining) {
      const { rows, unasked } = prepared ?? { rows: [row], unasked: [] };
      return this.#emit({ type: 'quarantine_ready', rows, unasked });
    }
    this.#waiting.push(row);
    await this.#emit({ type: 'slot_free' });
  }

  /** The row to send alone, once it is recorded and read. */
  next(): LeasedRow | undefined {
    if (this.#solo?.step !== 'ready') return undefined;
    this.#solo.step = 'sent';
    return this.#solo.row;
  }

  /** These rows were stored or given up. */
  remove(rows: readonly LeasedRow[]): void {
    const isRemoved = (one: LeasedRow) =>
      rows.some(({ slice, row }) => slice === one.slice && row === one.row);
    this.#group = this.#group.filter((row) => !isRemoved(row));
    if (this.#solo && isRemoved(this.#solo.row)) this.#solo = null;
    this.#advance();
    void this.#emit({ type: 'slot_free' });
  }

  /** The row waits for a retry: crashes meanwhile are not counted for it. */
  postpone(row: LeasedRow): void {
    this.remove([row]);
    const others = this.#group.filter(({ slice }) => slice === row.slice);
    void this.#record(row.slice, others);
  }

  /** Removes and returns the rows of a slice that are not in flight. */
  take(slice: LeasedSlice): LeasedRow[] {
    const taken = this.#waiting.filter((row) => row.slice === slice);
    this.#waiting = this.#waiting.filter((row) => row.slice !== slice);
    const { row, step } = this.#solo ?? {};
    if (row?.slice !== slice || step !== 'ready') return taken;
    this.#solo = null;
    return [...taken, row];
  }

  get #firstClean(): LeasedRow | undefined {
    return this.#waiting.find(({ crashCount }) => crashCount === 0);
  }

  get #isCalm(): boolean {
    const calm = calmLongestCalls * this.#longestCallMilliseconds;
    return performance.now() - this.#startedAt >= Math.max(calmAtLeastMilliseconds, calm);
  }

  /** Sends the next group of clean rows. When none are left, the sender chooses a suspect. */
  #advance(): void {
    if (this.#group.length > 0 || this.#solo) return;
    const clean = this.#firstClean;
    if (clean) void this.#sendGroup(clean.slice);
  }

  async #sendGroup(slice: LeasedSlice): Promise<void> {
    const group = this.#waiting
      .filter((row) => row.slice === slice && row.crashCount === 0)
      .slice(0, quarantineGroupRows);
    this.#waiting = this.#waiting.filter((row) => !group.includes(row));
    this.#group = group;
    const prepared = await this.#prepare(slice, group);
    if (prepared) return this.#emit({ type: 'quarantine_ready', ...prepared });
    this.#group = [];
    this.#waiting.unshift(...group);
    this.#advanceLater();
  }

  #advanceLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#advance();
      void this.#emit({ type: 'slot_free' });
    }, retryMilliseconds).unref();
  }

  /** Null when a statement or the file store failed, or the batch was paused. */
  async #prepare(slice: LeasedSlice, group: readonly LeasedRow[]): Promise<Prepared | null> {
    if (!(await this.#record(slice, group))) return null;
    try {
      const read = await slice.read(group.map(({ row }) => row));
      if (!read) return null;
      const byNumber = new Map(group.map((row) => [row.row, row]));
      const find = (row: number) => byNumber.get(row) as LeasedRow;
      return {
        rows: read.rows.map(({ row, ...prompt }) => Object.assign(find(row), prompt)),
        unasked: read.unasked.map(({ row, ...why }) => ({ row: find(row), ...why })),
      };
    } catch (error) {
      this.#ctx.log.error(
        { err: error, batch: slice.batchId },
        'could not read rows in quarantine',
      );
      return null;
    }
  }

  async #record({ batchId, first }: LeasedSlice, rows: readonly LeasedRow[]): Promise<boolean> {
    try {
      const numbers = rows.map(({ row }) => row);
      await saveQuarantinedRows(this.#ctx.db, { batchId, first, rows: numbers });
      return true;
    } catch (error) {
      this.#ctx.log.error({ err: error, batch: batchId }, 'could not record rows in quarantine');
      return false;
    }
  }
}
