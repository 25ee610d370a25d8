import type { ChatModel, ChatOutcome, ChatRequest } from '../../src/engine/port.ts';

/** After this time fewer calls than expected are a mismatch instead of a hang. */
const callTimeoutMilliseconds = 30_000;

export interface WaitingCall {
  prompt: string;
  answer(outcome: ChatOutcome): void;
}

/** A model whose answers the simulation decides. */
export class ScriptedChat implements ChatModel {
  readonly name = 'scripted';
  readonly #models: readonly string[];
  #waiting: WaitingCall[] = [];
  #onCall = () => {};

  constructor(models: readonly string[]) {
    this.#models = models;
  }

  async listModels(): Promise<{ id: string }[]> {
    return this.#models.map((id) => ({ id }));
  }

  ask({ prompt }: ChatRequest): Promise<ChatOutcome> {
    return new Promise((answer) => {
      this.#waiting.push({ prompt, answer });
      this.#onCall();
    });
  }

  async close(): Promise<void> {}

  /** Waits until this work makes its calls, or ends without them. */
  async callsOf(work: Promise<unknown>, count: number): Promise<WaitingCall[]> {
    const called = new Promise<void>((resolve) => {
      this.#onCall = () => this.#waiting.length >= count && resolve();
    });
    const timeout = AbortSignal.timeout(callTimeoutMilliseconds);
    const timedOut = new Promise((resolve) => timeout.addEventListener('abort', resolve));
    await Promise.race([called, work.catch(() => {}), timedOut]);
    const calls = this.#waiting;
    this.#waiting = [];
    return calls;
  }
}
