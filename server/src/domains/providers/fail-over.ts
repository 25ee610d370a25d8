import { type ChatOutcome, type ChatRequest, isUnanswered } from '../../engine/port.ts';

/** After this many broken calls in a row the fallback answers. The engine pauses after five. */
const brokenInARow = 3;
/** After this many broken calls a row goes to the fallback, even if others are answered. */
const attemptsOfRow = 2;
/** Gateways of a provider that is down say "try later". The engine pauses after as much of it. */
const silence = { calls: 20, milliseconds: 30_000 };
/** For so long a fallback that refuses our key is not asked again. */
const refusedMilliseconds = 60_000;
/** Then one call shows whether it is up again. */
const passedOverMilliseconds = 10_000;

interface Failures {
  /** In a row. */
  broken: number;
  /** Without an answer, and the time of the first one. */
  calls: number;
  since: number;
  passedOverUntil: number;
}

/**
 * Decides when the fallback of a model answers: after failed connections, time-outs and errors of
 * the provider, or nothing but "try later" for half a minute, but not after a refused request, key
 * or limit.
 */
export class FailOver {
  readonly #now: () => number;
  readonly #providers = new Map<string, Failures>();
  /** Fallbacks that refuse us, and until when they are not asked. */
  readonly #refusedUntil = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Before a call: whether the provider should be passed over. */
  mustPassOver(provider: string, { attempts = 0 }: Pick<ChatRequest, 'attempts'>): boolean {
    if (attempts >= attemptsOfRow) return true;
    const known = this.#providers.get(provider);
    if (!known || !this.isDown(provider)) return false;
    if (this.#now() < known.passedOverUntil) return true;
    // The call that follows is the trial; others wait for its outcome at the fallback.
    known.passedOverUntil = this.#now() + passedOverMilliseconds;
    return false;
  }

  /** The fallback answers, and each call to the provider is a trial. */
  isDown(provider: string): boolean {
    const known = this.#providers.get(provider);
    if (!known) return false;
    const isSilent = known.calls >= silence.calls;
    return (
      known.broken >= brokenInARow ||
      (isSilent && this.#now() - known.since >= silence.milliseconds)
    );
  }

  /** Whether a fallback has refused our key. A 403 may be about one prompt. */
  noteRefusal(fallback: string, outcome: ChatOutcome): boolean {
    const isRefusal = outcome.kind === 'provider_refused' && !outcome.mayBeRow;
    if (isRefusal) this.#refusedUntil.set(fallback, this.#now() + refusedMilliseconds);
    return isRefusal;
  }

  isRefused(fallback: string): boolean {
    return this.#now() < (this.#refusedUntil.get(fallback) ?? 0);
  }

  /** The fallback answers instead, unless the call is repeated. */
  hasFailed(provider: string, outcome: ChatOutcome): boolean {
    return outcome.kind === 'broken' || (isUnanswered(outcome) && this.isDown(provider));
  }

  note(provider: string, outcome: ChatOutcome): void {
    if (outcome.kind === 'aborted') return;
    if (!isUnanswered(outcome)) {
      this.#providers.delete(provider);
      return;
    }
    const now = this.#now();
    const known = this.#providers.get(provider) ?? { broken: 0, calls: 0, since: now };
    this.#providers.set(provider, {
      broken: outcome.kind === 'broken' ? known.broken + 1 : 0,
      calls: known.calls + 1,
      since: known.since,
      passedOverUntil: now + passedOverMilliseconds,
    });
  }
}
