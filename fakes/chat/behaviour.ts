/** How the fake behaves towards every call. It can be changed while it runs. */
export interface Behaviour {
  /** Milliseconds before every answer. */
  latency: number;
  /** Shares of calls, 0 to 1, that are answered with 429 or 500. */
  share429: number;
  share500: number;
  /** The share that fails in one of four ways, in turn: 500, 502, 503, a cut connection. */
  shareFailing: number;
  /** Answers every call with this status. */
  status: number | null;
  /** Cuts the connection of every call. */
  down: boolean;
  /** The `retry-after` of every 429 and 503. */
  retryAfter: string | number | null;
  /** Calls in any second beyond this number are answered with 429. */
  limitPerSecond: number | null;
}

export const wellBehaved: Readonly<Behaviour> = {
  latency: 0,
  share429: 0,
  share500: 0,
  shareFailing: 0,
  status: null,
  down: false,
  retryAfter: null,
  limitPerSecond: null,
};

/** A cut connection has no status. */
export const cut = 0;
const failures = [500, 502, 503, cut] as const;

/** Decides, call by call, which status a behaviour asks for. The same seed makes the same choices. */
export class Mood {
  readonly behaviour: Behaviour;
  readonly #random: () => number;
  /** The times of the last admitted calls, in a ring as long as the limit: its oldest entry decides. */
  #admitted: number[] = [];
  #next = 0;
  #failed = 0;

  constructor(behaviour: Behaviour, seed: number) {
    this.behaviour = behaviour;
    this.#random = randomFrom(seed);
  }

  change(wishes: Partial<Behaviour>): void {
    for (const name of Object.keys(wishes))
      if (!(name in wellBehaved))
        throw new Error(`There is no ${name}; there are ${Object.keys(wellBehaved).join(', ')}`);
    if (wishes.limitPerSecond !== undefined) {
      this.#admitted = [];
      this.#next = 0;
    }
    Object.assign(this.behaviour, wishes);
  }

  statusOf(now: number): number {
    const { status, share429, share500, shareFailing, limitPerSecond } = this.behaviour;
    if (status !== null) return status;
    if (limitPerSecond !== null && !this.#isAdmitted(now, limitPerSecond)) return 429;
    if (share429 + share500 + shareFailing === 0) return 200;
    const chance = this.#random();
    if (chance < share429) return 429;
    if (chance < share429 + share500) return 500;
    return chance < share429 + share500 + shareFailing
      ? (failures[this.#failed++ % failures.length] ?? 500)
      : 200;
  }

  #isAdmitted(now: number, limit: number): boolean {
    if (now - (this.#admitted[this.#next] ?? Number.NEGATIVE_INFINITY) < 1_000 || limit <= 0)
      return false;
    this.#admitted[this.#next] = now;
    this.#next = (this.#next + 1) % limit;
    return true;
  }
}

/** Mulberry32: small, and good enough for shares. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
