import type { ChatModel, ChatOutcome, ChatRequest } from '../../engine/port.ts';
import { TurnRefused, Turns } from '../../lib/turns.ts';

const leastAtOnce = 8;

/**
 * The calls to a provider beside its batches: of single prompts, previews, and models that it
 * stands in for. They wait for a place before their deadline begins. Places go round the people.
 */
export class CallsBeside {
  readonly #turns: Turns;

  constructor({ concurrency }: { concurrency: number }) {
    const most = Math.max(leastAtOnce, concurrency);
    this.#turns = new Turns({ perPerson: most, total: most });
  }

  /** A row, which no person asks, has its place. */
  ask(chat: ChatModel, request: ChatRequest): Promise<ChatOutcome> {
    const { person, signal } = request;
    if (person === undefined) return chat.ask(request);
    const ask = () => chat.ask(request);
    return this.#turns.run(person, ask, signal).catch((error) => {
      if (error instanceof TurnRefused) return { kind: 'aborted' };
      throw error;
    });
  }
}
