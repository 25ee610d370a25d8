import { refuse } from '../../core/refusal.ts';
import { hashSecret } from '../../lib/ids.ts';
import { refused } from '../../texts/requests.ts';

/**
 * How many calls one person may make in one process; calls without a session count for their
 * network. Browsers make a few a second. A large body blocks others for up to 10 ms, so it counts
 * as several calls.
 */
export const requestRate = {
  perSecond: 200,
  atOnce: 1_500,
  perRefusal: 5,
  bytesPerCall: 8 * 1024,
  callsPerCpuMillisecond: 5,
} as const;

const retryAfterSeconds = 5;
/** Refusals wait, which slows down senders that wait for them. At most this many at once. */
const held = { milliseconds: 1_000, atMost: 2_000 };
/** Sessions and callers in memory. Above this all are forgotten and start again. */
const mostRemembered = 100_000;

interface Allowance {
  calls: number;
  at: number;
}

/** A call with a body of this size counts as this many calls. */
export function callsFor(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / requestRate.bytesPerCall));
}

/** Refuses a flood of calls before the session lookup, which costs about as much as an answer. */
export class RequestRate {
  readonly #people = new Map<string, string>();
  readonly #allowances = new Map<string, Allowance>();
  #held = 0;

  /** Counts a call for the person of a known session, or for the network, and returns which. */
  async admit(call: { token?: string; network: string; bytes: number }): Promise<string> {
    const caller = (call.token && this.#people.get(hashSecret(call.token))) ?? call.network;
    if (this.take(caller, callsFor(call.bytes))) return caller;
    if (this.#held < held.atMost) {
      this.#held++;
      await new Promise((resolve) => setTimeout(resolve, held.milliseconds));
      this.#held--;
    }
    refuseFlood();
  }

  /** Whether the caller may make these calls. If so, they count. */
  take(caller: string, calls = 1, now = performance.now()): boolean {
    const allowance = this.#allowanceOf(caller, now);
    const earned = ((now - allowance.at) / 1_000) * requestRate.perSecond;
    allowance.calls = Math.min(requestRate.atOnce, allowance.calls + earned);
    allowance.at = now;
    if (allowance.calls < calls) return false;
    allowance.calls -= calls;
    return true;
  }

  #allowanceOf(caller: string, now: number): Allowance {
    const known = this.#allowances.get(caller);
    if (known) return known;
    if (this.#allowances.size >= mostRemembered) this.#allowances.clear();
    const allowance = { calls: requestRate.atOnce, at: now };
    this.#allowances.set(caller, allowance);
    return allowance;
  }

  /** A call that was too much counts as several, so a flood soon costs no database work. */
  countRefusal(person: string): void {
    this.#charge(person, requestRate.perRefusal - 1);
  }

  /**
   * Work that blocks all others counts as calls by its time, because bytes do not tell it: a list
   * of wrong values takes most. Until the debt is earned, admitted calls are refused.
   */
  charged<T>(caller: string, work: () => T): T {
    if (this.#allowanceOf(caller, performance.now()).calls < 0) refuseFlood();
    const before = process.threadCpuUsage();
    try {
      return work();
    } finally {
      const { user, system } = process.threadCpuUsage(before);
      const milliseconds = Math.floor((user + system) / 1_000);
      this.#charge(caller, milliseconds * requestRate.callsPerCpuMillisecond, -requestRate.atOnce);
    }
  }

  #charge(caller: string, calls: number, least = 0): void {
    const allowance = this.#allowances.get(caller);
    if (allowance && allowance.calls > least)
      allowance.calls = Math.max(least, allowance.calls - calls);
  }

  /** After a session was found to belong to a person. */
  remember(token: string, person: string): void {
    if (this.#people.size >= mostRemembered) this.#people.clear();
    this.#people.set(hashSecret(token), person);
  }
}

function refuseFlood(): never {
  refuse('too_many_requests', {
    message: refused.too_many_requests.atOnce.calls,
    retryAfterSeconds,
  });
}
