import type { ChatModel, ChatOutcome, ChatRequest } from '../../src/engine/port.ts';

export interface WaitingCall {
  prompt: string;
  answer(outcome: ChatOutcome): void;
}

/** A model that answers when it is told to, and what it is told. */
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

  /** The calls that this work makes before it waits for them; none when it ends without. */
  async callsOf(work: Promise<unknown>, count: number): Promise<WaitingCall[]> {
    const called = new Promise<void>((resolve) => {
      this.#onCall = () => this.#waiting.length >= count && resolve();
    });
    await Promise.race([called, work.catch(() => {})]);
    const calls = this.#waiting;
    this.#waiting = [];
    return calls;
  }
}
