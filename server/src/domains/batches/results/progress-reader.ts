import { type ProgressEvent, subjectOfEvent } from '@rowmill/contract';

/**
 * What a stream has not sent yet: the latest event of each batch and of the balance, so a slow
 * reader needs little memory. Unlike a generator it can end while it waits for an event.
 */
export class ProgressReader implements AsyncIterableIterator<ProgressEvent> {
  readonly #pending = new Map<string, ProgressEvent>();
  readonly #onEnd: () => void;
  #wake = () => {};
  #failure: unknown;
  #hasEnded = false;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  offer(event: ProgressEvent): void {
    this.#pending.set(subjectOfEvent(event), event);
    this.#wake();
  }

  end(failure?: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#failure = failure;
    this.#onEnd();
    this.#wake();
  }

  async next(): Promise<IteratorResult<ProgressEvent>> {
    while (this.#pending.size === 0 && !this.#hasEnded)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#failure !== undefined) throw this.#failure;
    const [next] = this.#pending;
    if (this.#hasEnded || !next) return { done: true, value: undefined };
    const [key, event] = next;
    this.#pending.delete(key);
    return { done: false, value: event };
  }

  async return(): Promise<IteratorResult<ProgressEvent>> {
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
