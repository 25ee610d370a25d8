import { Pool } from 'undici';

/** After these calls it is decided whether connections are kept. */
const watchedCalls = 20;
/** At least these broke, and at most every second call found an open connection. */
const brokenCalls = 3;
const callsPerConnection = 2;
/** Then keeping them is tried again: a short disturbance looks the same at first. */
const singleCalls = 1_000;

/**
 * The connections to a provider. Some servers close theirs after each answer without saying so, and
 * the next call, which is already on its way, is lost. They get a new connection for each call.
 */
export class Connections {
  readonly #kept: Pool;
  readonly #single: Pool;
  #calls = 0;
  #broken = 0;
  #opened = 0;
  #singleLeft = 0;

  constructor(origin: string, options: Pool.Options) {
    this.#kept = new Pool(origin, options);
    this.#kept.on('connect', () => this.#opened++);
    this.#single = new Pool(origin, { ...options, pipelining: 0 });
  }

  /** For the next call. */
  take(): Pool {
    if (this.#singleLeft === 0) return this.#kept;
    this.#singleLeft--;
    return this.#single;
  }

  /** How a call on kept connections ended. */
  note(isBroken: boolean): void {
    if (this.#singleLeft > 0) return;
    this.#calls++;
    if (isBroken) this.#broken++;
    if (this.#calls < watchedCalls) return;
    const isKept = this.#opened * callsPerConnection < this.#calls || this.#broken < brokenCalls;
    if (!isKept) this.#singleLeft = singleCalls;
    this.#calls = this.#broken = this.#opened = 0;
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#kept.destroy(), this.#single.destroy()]);
  }
}
