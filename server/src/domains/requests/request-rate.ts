import { refuse } from '../../core/refusal.ts';
import { hashSecret } from '../../lib/ids.ts';
import { refused } from '../../texts/requests.ts';

/** Calls of one person in one process, whatever they ask for. Browsers make a few a second. */
export const requestRate = { perSecond: 200, atOnce: 1_500, perRefusal: 5 } as const;

const retryAfterSeconds = 5;
/** A refusal waits this long, so that senders who wait for it send less. Of more than these, it does not wait. */
const held = { milliseconds: 1_000, atMost: 2_000 };
/** Sessions that are remembered. Beyond it all are forgotten, which lets each person make `atOnce` calls again. */
const mostSessions = 100_000;

interface Allowance {
  calls: number;
  at: number;
}

/**
 * Refuses a flood of calls before the database is asked who makes them: a refusal after that question costs about as much
 * as an answer. Only sessions that were let in before are counted.
 */
export class RequestRate {
  readonly #people = new Map<string, string>();
  readonly #allowances = new Map<string, Allowance>();
  #held = 0;

  /** Who has this session, if that is known already. */
  personOf(token: string): string | undefined {
    return this.#people.get(hashSecret(token));
  }

  async admit(token: string): Promise<void> {
    if (this.take(token)) return;
    if (this.#held < held.atMost) {
      this.#held++;
      await new Promise((resolve) => setTimeout(resolve, held.milliseconds));
      this.#held--;
    }
    refuse('too_many_requests', {
      message: refused.too_many_requests.atOnce.calls,
      retryAfterSeconds,
    });
  }

  /** Whether one more call may be made, which then counts. */
  take(token: string, now = performance.now()): boolean {
    const person = this.#people.get(hashSecret(token));
    const allowance = person && this.#allowances.get(person);
    if (!allowance) return true;
    const earned = ((now - allowance.at) / 1_000) * requestRate.perSecond;
    allowance.calls = Math.min(requestRate.atOnce, allowance.calls + earned);
    allowance.at = now;
    if (allowance.calls < 1) return false;
    allowance.calls--;
    return true;
  }

  /** A call that was too much at once counts as several, so that a flood of them soon costs no database work. */
  countRefusal(person: string): void {
    const allowance = this.#allowances.get(person);
    if (allowance) allowance.calls = Math.max(0, allowance.calls - (requestRate.perRefusal - 1));
  }

  /** After a session was found to belong to a person. */
  remember(token: string, person: string, now = performance.now()): void {
    const session = hashSecret(token);
    if (this.#people.has(session)) return;
    if (this.#people.size >= mostSessions) {
      this.#people.clear();
      this.#allowances.clear();
    }
    this.#people.set(session, person);
    if (!this.#allowances.has(person))
      this.#allowances.set(person, { calls: requestRate.atOnce, at: now });
  }
}
