import type { ChatModel, ChatOutcome, ChatRequest } from '../../engine/port.ts';
import { TurnRefused, Turns } from '../../lib/turns.ts';

/** At once. Batches of the provider have as many connections of their own as they may use. */
const besideBatches = (concurrency: number) => Math.max(8, concurrency);
/** For probes, tests and lists of models. */
const spare = 8;

/** No call waits for a connection: its deadline would pass, and the provider would seem down. */
export const connectionsFor = (concurrency: number) =>
  concurrency + besideBatches(concurrency) + spare;

/**
 * The calls to a provider beside its batches: of single prompts, previews, and models that it
 * stands in for. They wait for a place before their deadline begins. Places go round the people.
 */
export class CallsBeside {
  readonly #turns: Turns;

  constructor({ concurrency }: { concurrency: number }) {
    const most = besideBatches(concurrency);
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
