import type { ChatOutcome } from '../port.ts';

/** So many broken calls one after another, as many as a row has tries, raise a doubt: no row is to fail for an outage. */
const brokenInARow = 5;
/** Half of so many calls raise one too. */
const windowCalls = 20;
const fewestCalls = 10;
/** So many calls over so long a time that were put off or broke, and none that was answered. */
const silence = { calls: 20, milliseconds: 30_000 };
/** After a doubt that was none. Rows that break by themselves must not make us ask all the time. */
const trustMilliseconds = 2_000;
/** A provider that fails now and then is asked twice, unless it has taken so long. */
const quickMilliseconds = 5_000;
const betweenMilliseconds = 500;

interface Parts {
  now(): number;
  /** How long an open breaker waits before it asks again. */
  restMilliseconds: number;
  /** Asks something harmless of a model, and says whether anything came back. */
  isAlive(model: string): Promise<boolean>;
  onOpen(): void;
  onClosed(): void;
}

/**
 * Tells an outage of the provider from rows that break by themselves: many broken calls raise a doubt, and a harmless
 * question decides it. While there is a doubt nothing else is sent, and what has broken is not judged. An outage is asked
 * after at intervals, and nothing else is sent until an answer comes.
 */
export class CircuitBreaker implements Disposable {
  readonly #parts: Parts;
  #state: 'closed' | 'doubted' | 'open' = 'closed';
  #verdict: Promise<void> = Promise.resolve();
  #recent: boolean[] = [];
  #brokenRecently = 0;
  #inARow = 0;
  #silent = { calls: 0, since: 0 };
  #trustedUntil = 0;
  #timer: NodeJS.Timeout | null = null;
  #isDisposed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Waits for the end of a doubt. */
  async isDown(): Promise<boolean> {
    await this.#verdict;
    return this.#state !== 'closed';
  }

  note(outcome: ChatOutcome, model: string): void {
    if (outcome.kind === 'aborted') return;
    const isBroken = outcome.kind === 'broken';
    this.#countBroken(isBroken);
    this.#countSilence(isBroken || isPutOff(outcome));
    if (this.#state !== 'closed' || this.#isDisposed) return;
    if (this.#isDoubtful()) this.#verdict = this.#doubt(model);
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #countBroken(isBroken: boolean): void {
    this.#inARow = isBroken ? this.#inARow + 1 : 0;
    this.#recent.push(isBroken);
    if (isBroken) this.#brokenRecently++;
    if (this.#recent.length > windowCalls && this.#recent.shift()) this.#brokenRecently--;
  }

  #countSilence(isSilent: boolean): void {
    if (!isSilent) this.#silent.calls = 0;
    else if (this.#silent.calls++ === 0) this.#silent.since = this.#parts.now();
  }

  #isDoubtful(): boolean {
    const now = this.#parts.now();
    if (now < this.#trustedUntil) return false;
    const { calls, since } = this.#silent;
    if (calls >= silence.calls && now - since >= silence.milliseconds) return true;
    if (this.#inARow >= brokenInARow) return true;
    return this.#recent.length >= fewestCalls && this.#brokenRecently * 2 >= this.#recent.length;
  }

  async #doubt(model: string): Promise<void> {
    this.#state = 'doubted';
    const asked = this.#parts.now();
    let isAlive = await this.#parts.isAlive(model);
    if (!isAlive && this.#parts.now() - asked < quickMilliseconds) {
      await new Promise((resolve) => setTimeout(resolve, betweenMilliseconds));
      isAlive = await this.#parts.isAlive(model);
    }
    if (isAlive) this.#close();
    else this.#open(model);
  }

  #open(model: string): void {
    this.#state = 'open';
    // Whoever leaves has broken off the question himself.
    if (this.#isDisposed) return;
    this.#parts.onOpen();
    this.#askLater(model);
  }

  #askLater(model: string): void {
    this.#timer = setTimeout(() => void this.#askAgain(model), this.#parts.restMilliseconds);
  }

  async #askAgain(model: string): Promise<void> {
    if (await this.#parts.isAlive(model)) this.#close();
    else if (!this.#isDisposed) this.#askLater(model);
  }

  #close(): void {
    this.#recent = [];
    this.#brokenRecently = 0;
    this.#inARow = 0;
    this.#silent.calls = 0;
    this.#trustedUntil = this.#parts.now() + trustMilliseconds;
    this.#state = 'closed';
    if (!this.#isDisposed) this.#parts.onClosed();
  }
}

/** "Try later" without a time is what gateways say too, when nobody stands behind them. */
function isPutOff(outcome: ChatOutcome): boolean {
  return outcome.kind === 'try_later' && outcome.retryAt === null;
}
