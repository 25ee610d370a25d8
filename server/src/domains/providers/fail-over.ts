import type { ChatOutcome, ChatRequest } from '../../engine/port.ts';

/** After this many broken calls in a row the fallback answers. The engine pauses after five. */
const brokenInARow = 3;
/** After this many broken calls a row goes to the fallback, even if others are answered. */
const attemptsOfRow = 2;
/** Then one call shows whether it is up again. */
const passedOverMilliseconds = 10_000;

/**
 * Decides when the fallback of a model answers: after failed connections, time-outs and errors of
 * the provider, but not after a refused request, key or limit.
 */
export class FailOver {
  readonly #now: () => number;
  readonly #providers = new Map<string, { broken: number; passedOverUntil: number }>();

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
    return (this.#providers.get(provider)?.broken ?? 0) >= brokenInARow;
  }

  note(provider: string, { kind }: ChatOutcome): void {
    if (kind === 'aborted') return;
    const known = this.#providers.get(provider);
    if (kind !== 'broken') {
      if (known) this.#providers.delete(provider);
      return;
    }
    const broken = (known?.broken ?? 0) + 1;
    const passedOverUntil = this.#now() + passedOverMilliseconds;
    this.#providers.set(provider, { broken, passedOverUntil });
  }
}
