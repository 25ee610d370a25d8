import { minute } from '../../lib/clock.ts';

/** A provider that counts calls for hours notices none of these. */
const firstMilliseconds = 5 * minute;
const mostMilliseconds = 15 * minute;

/** A lane whose rows wait for the end of a cooldown. */
export interface WaitingLane {
  key: string;
  name: string;
  /** Of one of its rows. */
  model: string;
}

interface Parts {
  now(): number;
  /** Sends a harmless prompt. Resolves to whether it is answered. */
  probe(model: string): Promise<boolean>;
  /** Ends the cooldowns of a key. */
  end(key: string): Promise<void>;
}

/** Finds out that a cooldown of hours is over early, such as when an operator bought more. */
export class CooldownProbes {
  readonly #parts: Parts;
  /** By lane: when it is probed next, and how long after the last probe that is. */
  #planned = new Map<string, { at: number; wait: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Called every half minute with all lanes that wait. */
  async check(lanes: readonly WaitingLane[]): Promise<void> {
    const { now, probe, end } = this.#parts;
    const first = { at: now() + firstMilliseconds, wait: firstMilliseconds };
    this.#planned = new Map(lanes.map(({ name }) => [name, this.#planned.get(name) ?? first]));
    for (const { key, name, model } of lanes) {
      const { at, wait } = this.#planned.get(name) ?? first;
      if (now() < at) continue;
      const next = Math.min(mostMilliseconds, wait + firstMilliseconds);
      this.#planned.set(name, { at: now() + next, wait: next });
      if (await probe(model)) await end(key);
    }
  }
}
