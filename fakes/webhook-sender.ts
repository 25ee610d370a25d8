/** What is sent: the exact text, signed anew for each try, as the providers do. */
export interface Message {
  id: string;
  body: string;
  headersFor(body: string): Record<string, string>;
}

/** How a message reaches its receiver, beside once and at once. */
export interface Manner {
  times?: number;
  afterMilliseconds?: number;
}

const pausesMilliseconds = [200, 1_000, 3_000, 10_000];

/** Sends events, again after a while where they are not taken, and remembers how each was answered. */
export class WebhookSender implements Disposable {
  readonly sent: { id: string; status: number }[] = [];
  /** Those that are sent, or will be. */
  readonly due = new Set<string>();
  isMute = false;
  #target: string | null = null;
  readonly #timers = new Set<NodeJS.Timeout>();

  deliverTo(url: string): void {
    this.#target = url;
  }

  send(message: Message, { times = 1, afterMilliseconds = 0 }: Manner = {}): void {
    if (this.isMute) return;
    this.due.add(message.id);
    for (let time = 0; time < times; time++)
      this.later(afterMilliseconds, () => this.#try(message, 0));
  }

  /** Happens later, unless the sender is gone by then. */
  later(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, milliseconds);
    this.#timers.add(timer.unref());
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#target = null;
  }

  async #try(message: Message, round: number): Promise<void> {
    if (this.#target === null) return;
    const { body, id } = message;
    const headers = { 'content-type': 'application/json', ...message.headersFor(body) };
    const status = await fetch(this.#target, { method: 'POST', headers, body }).then(
      (response) => response.status,
      () => 0,
    );
    this.sent.push({ id, status });
    const pause = pausesMilliseconds[round];
    if ((status < 200 || status > 299) && pause !== undefined)
      this.later(pause, () => void this.#try(message, round + 1));
  }
}
