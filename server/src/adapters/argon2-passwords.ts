import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { refuse } from '../core/refusal.ts';
import type { PasswordHasher } from '../domains/identity/port.ts';

interface Costs {
  /** In KiB. */
  memoryCost: number;
  /** Passes. */
  timeCost: number;
  parallelism: number;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const presentCosts: Costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** At least one core is left for other requests. Fifty waiting take two to four seconds. */
export const hashesAtOnce = { running: availableParallelism() > 2 ? 2 : 1, waiting: 50 };

/** Hashes in the PHC format, which names the costs, computed outside the main thread. */
export class Argon2Passwords implements PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #costs: Costs;
  readonly #dummyHash: string;

  constructor(costs: Costs = presentCosts) {
    this.#costs = costs;
    this.#dummyHash = dummyHash(costs);
  }

  hash(password: string): Promise<string> {
    return this.#limit(() => hash(password, this.#costs));
  }

  async isRight(password: string, stored: string | null): Promise<boolean> {
    const isRight = await this.#limit(() => verify(stored ?? this.#dummyHash, password));
    return isRight && stored !== null;
  }

  isOutdated(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(stored);
    return (
      memoryCost !== this.#costs.memoryCost ||
      timeCost !== this.#costs.timeCost ||
      parallelism !== this.#costs.parallelism
    );
  }

  async #limit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= hashesAtOnce.running) {
      if (this.#waiting.length >= hashesAtOnce.waiting) refuse('busy', { retryAfterSeconds: 2 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // `#running` stays, so that a new call cannot overtake the one that is waiting.
      if (next) next();
      else this.#running--;
    }
  }
}

/** A hash of no password, which costs as much to check as a real one. */
function dummyHash({ memoryCost, timeCost, parallelism }: Costs): string {
  const part = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`;
}
