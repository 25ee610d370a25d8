import type { Context } from '../core/context.ts';
import {
  mayBeFixed,
  resumeAfterOutage,
  resumeMissed,
  resumeWhenStorable,
} from '../domains/batches/lifecycle/engine-pause.ts';
import { listPausedFor } from '../domains/batches/store/batches.ts';
import { diskSpaceOf } from '../lib/disk-space.ts';
import { orLog } from '../lib/failed-work.ts';
import type { CircuitBreakers } from './limits/circuit-breakers.ts';

interface Parts {
  breakers: Pick<CircuitBreakers, 'of'>;
  isOnlyProcess: boolean;
  signal: AbortSignal;
}

/** Resumes batches that no event resumes: at the start, and in intervals. */
export class Resumer {
  readonly #ctx: Context;
  readonly #parts: Parts;
  /** Paused at the start, until all of these were resumed. Null: not known yet. */
  #earlier: Set<string> | null = null;
  #running: Promise<unknown> = Promise.resolve();

  constructor(ctx: Context, parts: Parts) {
    this.#ctx = ctx;
    this.#parts = parts;
  }

  /** Settings change with a restart, which waits for none of the batches. */
  start(): void {
    this.#running = this.#resumeEarlier();
  }

  resume(): void {
    const before = this.#running;
    const steps = [
      this.#probeStorage(),
      this.#resumeMissed(),
      before.then(() => this.#resumeEarlier()),
    ];
    this.#running = Promise.all(steps);
  }

  async whenEnded(): Promise<void> {
    await this.#running;
  }

  /** Repeated while one of these batches cannot be resumed, such as a locked one. */
  async #resumeEarlier(): Promise<void> {
    await this.#try(async () => {
      const paused = () => listPausedFor(this.#ctx.db, ...mayBeFixed);
      const earlier = this.#earlier ?? new Set((await paused()).map(({ id }) => id));
      this.#earlier = earlier;
      if (earlier.size === 0) return;
      const isWanted = ({ id }: { id: string }) => !this.#parts.signal.aborted && earlier.has(id);
      await resumeAfterOutage(this.#ctx, mayBeFixed, isWanted);
      earlier.clear();
    }, 'could not resume batches after the start');
  }

  /** A process on its own disk leaves this to the disk check. */
  #probeStorage(): Promise<void> {
    const resume = async () => {
      const isDiskLow = diskSpaceOf(this.#ctx.config.dataDirectory) !== 'enough';
      if (!this.#parts.isOnlyProcess || !isDiskLow) await resumeWhenStorable(this.#ctx);
    };
    return this.#try(resume, 'could not resume after a full disk');
  }

  /** While the provider seems down to this process, its own probe decides. */
  #resumeMissed(): Promise<void> {
    const { breakers, signal } = this.#parts;
    const isUp = ({ model }: { model: string }) => !signal.aborted && !breakers.of(model).isOpen;
    const resume = () => resumeMissed(this.#ctx, isUp);
    return this.#try(resume, 'could not resume batches after an outage');
  }

  #try(step: () => Promise<unknown>, failure: string): Promise<void> {
    return orLog(this.#ctx.log, step, failure);
  }
}
