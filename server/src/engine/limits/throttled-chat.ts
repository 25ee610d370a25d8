import type { ChatModel } from '../port.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';

/** The model as single questions and previews reach it: while its key rests, nothing is sent, and what they learn counts. */
export function throttledChat(
  chat: ChatModel,
  { pace, now }: { pace: ConcurrencyLimiter; now: () => number },
): ChatModel {
  return {
    name: chat.name,
    listModels: () => chat.listModels(),
    close: () => chat.close(),
    async ask(request) {
      const seconds = Math.ceil((pace.restUntil - now()) / 1_000);
      if (seconds > 0) {
        const reason = `The provider asks us to wait ${seconds} seconds.`;
        return { kind: 'try_later', retryAt: pace.restUntil, reason };
      }
      const outcome = await chat.ask(request);
      if (outcome.kind === 'try_later' && outcome.retryAt) pace.rest(outcome.retryAt);
      return outcome;
    },
  };
}
