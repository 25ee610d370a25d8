import { CircuitBreaker } from './circuit-breaker.ts';

interface Parts {
  /** Of a model; see `ModelDirectory`. */
  breakerKeyOf(model: string): string;
  /** Time between two probes of a provider that is down. */
  probeIntervalMilliseconds: number;
  probe(model: string): Promise<boolean>;
  emit(event: Event): Promise<void> | undefined;
}

interface Event {
  type: 'provider_down' | 'provider_up';
  breakerKey: string;
}

/** While a provider is down, batches without a fallback wait, and those with one run. */
export class CircuitBreakers implements Disposable {
  readonly #parts: Parts;
  readonly #breakers = new Map<string, CircuitBreaker>();
  readonly #models = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  keyOf(model: string): string {
    return this.#parts.breakerKeyOf(model);
  }

  of(model: string): CircuitBreaker {
    const key = this.keyOf(model);
    this.#models.add(model);
    const breaker = this.#breakers.get(key) ?? this.#open(key);
    this.#breakers.set(key, breaker);
    return breaker;
  }

  find(key: string): CircuitBreaker | undefined {
    return this.#breakers.get(key);
  }

  /** All that were asked for, also those without settings. */
  get models(): Iterable<string> {
    return this.#models;
  }

  /** Whether rows of the model are not sent. */
  isOpenFor(model: string): boolean {
    return this.find(this.keyOf(model))?.isOpen ?? false;
  }

  get areAllClosed(): boolean {
    return this.#breakers.values().every(({ isClosed }) => isClosed);
  }

  [Symbol.dispose](): void {
    for (const breaker of this.#breakers.values()) breaker[Symbol.dispose]();
  }

  #open(key: string): CircuitBreaker {
    const { probeIntervalMilliseconds, probe, emit } = this.#parts;
    return new CircuitBreaker({
      now: () => performance.now(),
      probeIntervalMilliseconds,
      // Do not probe through a model that was removed or moved: the call would reach another
      // provider. The next rows show the rest.
      probe: async (model) => this.keyOf(model) !== key || probe(model),
      emit: (event) => emit({ ...event, breakerKey: key }),
    });
  }
}
