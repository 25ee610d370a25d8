import { closeSync, openSync, writeSync } from 'node:fs';

/** A call that arrived. Times are epoch milliseconds. */
export interface Call {
  at: number;
  /** Null while the call is in flight. */
  endedAt: number | null;
  prompt: string;
  /** The options sent with it, by OpenAI's names; absent without any. */
  options?: Readonly<Record<string, unknown>>;
  /** 0 when the call was never answered: the fake was silent, or the client disconnected. */
  status: number;
  /** What its answer said it used, input and output. */
  tokens: number;
}

/** All calls that arrived, and how many were in flight at once. */
export class CallLog {
  readonly calls: Call[] = [];
  inFlight = 0;
  mostInFlight = 0;
  readonly #file: number | null;
  #unwritten = '';

  constructor(path: string | null) {
    this.#file = path === null ? null : openSync(path, 'a');
  }

  begin(prompt: string, options: Call['options'] = {}): Call {
    const call: Call = { at: Date.now(), endedAt: null, prompt, status: 0, tokens: 0 };
    if (Object.keys(options).length > 0) call.options = options;
    this.calls.push(call);
    this.inFlight++;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    return call;
  }

  /** Writes a line per call to the file. The calls of a client that is killed end too. */
  end(call: Call): void {
    call.endedAt = Date.now();
    this.inFlight--;
    if (this.#file === null) return;
    if (this.#unwritten === '') setImmediate(() => this.#write());
    this.#unwritten += `${JSON.stringify(call)}\n`;
  }

  close(): void {
    if (this.#file === null) return;
    this.#write();
    closeSync(this.#file);
  }

  #write(): void {
    if (this.#file !== null && this.#unwritten !== '') writeSync(this.#file, this.#unwritten);
    this.#unwritten = '';
  }
}
