import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { refuse } from '../core/refusal.ts';
import type { PasswordHasher } from '../domains/identity/port.ts';
import { TurnRefused, Turns } from '../lib/turns.ts';

interface Costs {
  /** In KiB. */
  memoryCost: number;
  /** Passes. */
  timeCost: number;
  parallelism: number;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const presentCosts: Costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/**
 * At least one core is left for other requests. Fifty of a network (IPv6 /48) may wait, which takes
 * two to four seconds, and turns go round the networks.
 */
export const hashesAtOnce = { running: availableParallelism() > 2 ? 2 : 1, waiting: 50 };

/** Hashes in the PHC format, which names the costs, computed outside the main thread. */
export class Argon2Passwords implements PasswordHasher {
  readonly #turns = new Turns({
    perPerson: hashesAtOnce.running,
    total: hashesAtOnce.running,
    waiting: hashesAtOnce.waiting,
  });
  readonly #costs: Costs;
  readonly #dummyHash: string;

  constructor(costs: Costs = presentCosts) {
    this.#costs = costs;
    this.#dummyHash = dummyHash(costs);
  }

  hash(password: string, site = ''): Promise<string> {
    return this.#inTurn(site, () => hash(password, this.#costs));
  }

  async isRight(password: string, stored: string | null, site = ''): Promise<boolean> {
    const check = () => verify(stored ?? this.#dummyHash, password);
    const isRight = await this.#inTurn(site, check);
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

  async #inTurn<T>(site: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#turns.run(site, work);
    } catch (error) {
      if (error instanceof TurnRefused) refuse('busy', { retryAfterSeconds: 2 });
      throw error;
    }
  }
}

/** A hash of no password, which costs as much to check as a real one. */
function dummyHash({ memoryCost, timeCost, parallelism }: Costs): string {
  const part = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`;
}
