import { type ChatOutcome, isUnanswered } from '../../engine/port.ts';

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
  /** When a call tries the provider again, and whose call did so last. */
  trialAt: number;
  triedBy: string;
  /** Whose calls these were, or are answered by the fallback. */
  people: Set<string>;
  /** Two people's calls, or one's and a probe. */
  isProven: boolean;
  firstPerson: string;
}

/**
 * Decides when the fallback of a model answers: after failed connections, time-outs and errors of
 * the provider, or nothing but "try later" for half a minute, but not after a refused request, key
 * or limit. The calls of one person show nothing for others, because their prompts may be at fault.
 */
export class FailOver {
  readonly #now: () => number;
  readonly #providers = new Map<string, Failures>();
  readonly #probedAt = new Map<string, number>();
  /** Fallbacks that refuse us, and until when they are not asked. */
  readonly #refusedUntil = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Before a call: whether the provider should be passed over. */
  mustPassOver(provider: string, person: string, attempts = 0): boolean {
    if (attempts >= attemptsOfRow) return true;
    const known = this.#providers.get(provider);
    if (!known || !this.isDownFor(provider, person)) return false;
    known.people.add(person);
    // Their prompts may be at fault, so others go first.
    const isLast = known.triedBy === person && known.people.size > 1;
    const now = this.#now();
    if (now < known.trialAt + (isLast ? passedOverMilliseconds : 0)) return true;
    // The call that follows is the trial; others wait for its outcome at the fallback.
    known.trialAt = now + passedOverMilliseconds;
    known.triedBy = person;
    return false;
  }

  /** The fallback answers this person, and each call to the provider is a trial. */
  isDownFor(provider: string, person: string): boolean {
    const known = this.#providers.get(provider);
    return this.isDown(provider) && (known?.isProven === true || known?.firstPerson === person);
  }

  /** For at least one person. */
  isDown(provider: string): boolean {
    const known = this.#providers.get(provider);
    if (!known) return false;
    const isSilent = known.calls >= silence.calls;
    return (
      known.broken >= brokenInARow ||
      (isSilent && this.#now() - known.since >= silence.milliseconds)
    );
  }

  /** Whether a harmless question must show if the provider is down for all. Asked before it. */
  takeProbe(provider: string): boolean {
    const now = this.#now();
    if (!this.isDown(provider) || this.#providers.get(provider)?.isProven) return false;
    if (now < (this.#probedAt.get(provider) ?? -Infinity) + passedOverMilliseconds) return false;
    this.#probedAt.set(provider, now);
    return true;
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
  hasFailed(provider: string, person: string, outcome: ChatOutcome): boolean {
    if (outcome.kind === 'broken') return true;
    return isUnanswered(outcome) && this.isDownFor(provider, person);
  }

  note(provider: string, person: string, outcome: ChatOutcome): void {
    if (outcome.kind === 'aborted') return;
    if (!isUnanswered(outcome)) {
      this.#providers.delete(provider);
      return;
    }
    const now = this.#now();
    const known = this.#providers.get(provider) ?? {
      broken: 0,
      calls: 0,
      since: now,
      trialAt: 0,
      triedBy: person,
      people: new Set<string>(),
      isProven: false,
      firstPerson: person,
    };
    known.broken = outcome.kind === 'broken' ? known.broken + 1 : 0;
    known.calls++;
    known.trialAt = now + passedOverMilliseconds;
    known.people.add(person);
    known.isProven ||= person !== known.firstPerson;
    this.#providers.set(provider, known);
  }

  /** An answer shows nothing for the person whose own calls break. */
  noteProbe(provider: string, outcome: ChatOutcome): void {
    const known = this.#providers.get(provider);
    if (known && isUnanswered(outcome)) known.isProven = true;
  }
}
