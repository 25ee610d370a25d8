/** The exact body to send. Each attempt signs it again, as the providers do. */
export interface Message {
  id: string;
  body: string;
  headersFor(body: string): Record<string, string>;
}

/** Defaults to once and immediately. */
export interface Delivery {
  times?: number;
  afterMilliseconds?: number;
}

const retryDelaysMilliseconds = [200, 1_000, 3_000, 10_000];

/** Sends webhooks, retries those that are not accepted, and records each answer. */
export class WebhookSender implements Disposable {
  readonly sent: { id: string; status: number }[] = [];
  /** Ids of messages sent or waiting to be sent. */
  readonly due = new Set<string>();
  isMute = false;
  #target: string | null = null;
  readonly #timers = new Set<NodeJS.Timeout>();

  deliverTo(url: string): void {
    this.#target = url;
  }

  send(message: Message, { times = 1, afterMilliseconds = 0 }: Delivery = {}): void {
    if (this.isMute) return;
    this.due.add(message.id);
    for (let time = 0; time < times; time++)
      this.later(afterMilliseconds, () => this.#deliver(message, 0));
  }

  /** Runs the action later, unless the sender has been disposed by then. */
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

  async #deliver(message: Message, attempt: number): Promise<void> {
    if (this.#target === null) return;
    const { body, id } = message;
    const headers = { 'content-type': 'application/json', ...message.headersFor(body) };
    const status = await fetch(this.#target, { method: 'POST', headers, body }).then(
      (response) => response.status,
      () => 0,
    );
    this.sent.push({ id, status });
    const delay = retryDelaysMilliseconds[attempt];
    if ((status < 200 || status > 299) && delay !== undefined)
      this.later(delay, () => void this.#deliver(message, attempt + 1));
  }
}
