import { type ChatOutcome, isUnanswered } from '../port.ts';

/** Equals `maxAttempts` of a row, so that no row fails because of an outage. */
const brokenCallsInARow = 5;
/** Half of the last calls broke. Two broken calls in five do not reach this. */
const brokenShare = { maxCalls: 20, minCalls: 10, share: 0.5 };
/** Gateways of a broken provider say "try later". A busy one answers a call within this time. */
const silence = { calls: 20, milliseconds: 30_000 };
/** No probe for this long after a successful one, or each broken row would cause one. */
const trustMilliseconds = 2_000;
/** A failed probe is repeated once, as providers fail sporadically, unless it took this long. */
const secondProbe = { afterMilliseconds: 500, unlessSlowerThanMilliseconds: 5_000 };

/** A person whose last call was answered within this time proves that the provider is up. */
const proofMilliseconds = 5_000;
/** How many persons are remembered. */
const maxPersons = 1_000;

interface Parts {
  now(): number;
  /** Time between two probes during an outage. */
  probeIntervalMilliseconds: number;
  /** Sends a harmless prompt. Resolves to whether the provider reacted. */
  probe(model: string): Promise<boolean>;
  /** `provider_down` with each failed probe: batches may have been started since the last one. */
  emit(event: { type: 'provider_down' | 'provider_up' }): Promise<void> | undefined;
}

/**
 * Distinguishes an outage of the provider from broken rows. After many broken calls the breaker is
 * suspicious and sends a probe. Meanwhile only the person with the broken calls waits, or everyone
 * if no connection could be opened. Broken calls of one person do not count while calls of another
 * are answered. If the probe fails, the breaker opens: no call is sent until a probe succeeds.
 */
export class CircuitBreaker implements Disposable {
  readonly #parts: Parts;
  #state: 'closed' | 'suspicious' | 'open' = 'closed';
  /** Whose broken calls made it suspicious: only they wait. Null: none could connect. */
  #waitingPerson: string | null = null;
  #firstProbe: Promise<void> = Promise.resolve();
  #recentBroken: boolean[] = [];
  #recentBrokenCount = 0;
  #brokenInARow = 0;
  #silent = { calls: 0, since: 0 };
  /** Persons whose last call was answered, and when. */
  readonly #answeredAt = new Map<string, number>();
  #trustedUntil = 0;
  #timer: NodeJS.Timeout | null = null;
  #isDisposed = false;
  /** How the last failed call failed. */
  #problem: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** During the first probe other people may call: an attempt during an outage does not count. */
  mayCallFor(userId: string): boolean {
    if (this.#state === 'suspicious')
      return this.#waitingPerson !== null && this.#waitingPerson !== userId;
    return this.#state === 'closed';
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Waits for the first probe, then returns whether the provider is down. */
  async isDown(): Promise<boolean> {
    await this.#firstProbe;
    return this.#state !== 'closed';
  }

  note(outcome: ChatOutcome, { model, userId }: { model: string; userId: string }): void {
    if (outcome.kind === 'aborted') return;
    const isBroken = outcome.kind === 'broken';
    this.#noteProof(userId, outcome);
    if (isUnanswered(outcome)) this.#problem = outcome.reason;
    this.#countBroken(isBroken);
    this.#countSilence(isUnanswered(outcome));
    if (this.#state !== 'closed' || this.#isDisposed) return;
    if (!isBroken && outcome.kind !== 'try_later') return;
    const isUnreachable = isBroken && outcome.isUnreachable === true;
    const mayBeOutage = isUnreachable || !this.#isProvenBy(userId);
    if (!mayBeOutage || !this.#isSuspicious()) return;
    this.#waitingPerson = isUnreachable ? null : userId;
    this.#firstProbe = this.#decide(model);
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #noteProof(userId: string, { kind }: ChatOutcome): void {
    const persons = this.#answeredAt;
    if (kind === 'broken' || kind === 'try_later') {
      persons.delete(userId);
      return;
    }
    if (persons.size >= maxPersons && !persons.has(userId)) persons.clear();
    persons.set(userId, this.#parts.now());
  }

  /** Whether the last call of another person was answered recently. */
  #isProvenBy(userId: string): boolean {
    const since = this.#parts.now() - proofMilliseconds;
    return this.#answeredAt.entries().some(([person, at]) => person !== userId && at > since);
  }

  #countBroken(isBroken: boolean): void {
    this.#brokenInARow = isBroken ? this.#brokenInARow + 1 : 0;
    this.#recentBroken.push(isBroken);
    if (isBroken) this.#recentBrokenCount++;
    if (this.#recentBroken.length <= brokenShare.maxCalls) return;
    if (this.#recentBroken.shift()) this.#recentBrokenCount--;
  }

  #countSilence(isSilent: boolean): void {
    if (!isSilent) this.#silent.calls = 0;
    else if (this.#silent.calls++ === 0) this.#silent.since = this.#parts.now();
  }

  #isSuspicious(): boolean {
    const now = this.#parts.now();
    if (now < this.#trustedUntil) return false;
    const { calls, since } = this.#silent;
    if (calls >= silence.calls && now - since >= silence.milliseconds) return true;
    if (this.#brokenInARow >= brokenCallsInARow) return true;
    const { length } = this.#recentBroken;
    return length >= brokenShare.minCalls && this.#recentBrokenCount >= brokenShare.share * length;
  }

  async #decide(model: string): Promise<void> {
    this.#state = 'suspicious';
    const { now, probe } = this.#parts;
    const startedAt = now();
    let isUp = await probe(model);
    if (!isUp && now() - startedAt < secondProbe.unlessSlowerThanMilliseconds) {
      await new Promise((resolve) => setTimeout(resolve, secondProbe.afterMilliseconds));
      isUp = await probe(model);
    }
    if (isUp) this.#close();
    else this.#open(model);
  }

  #open(model: string): void {
    this.#state = 'open';
    // Our own shutdown may have aborted the probe.
    if (this.#isDisposed) return;
    void this.#parts.emit({ type: 'provider_down' });
    this.#probeLater(model);
  }

  #probeLater(model: string): void {
    const { probeIntervalMilliseconds } = this.#parts;
    this.#timer = setTimeout(() => void this.#probeAgain(model), probeIntervalMilliseconds);
  }

  async #probeAgain(model: string): Promise<void> {
    if (await this.#parts.probe(model)) this.#close();
    else this.#open(model);
  }

  #close(): void {
    this.#recentBroken = [];
    this.#recentBrokenCount = 0;
    this.#brokenInARow = 0;
    this.#silent.calls = 0;
    this.#trustedUntil = this.#parts.now() + trustMilliseconds;
    this.#state = 'closed';
    if (!this.#isDisposed) void this.#parts.emit({ type: 'provider_up' });
  }
}
