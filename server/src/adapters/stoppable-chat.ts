import type { ChatModel } from '../engine/port.ts';
import * as texts from '../texts/prompts.ts';

/** With this signal the calls in flight end, with a failure that says why. */
export function stoppableChat(chat: ChatModel, stop: AbortSignal): ChatModel {
  return {
    ...chat,
    async ask(request) {
      const signal = AbortSignal.any([request.signal, stop]);
      const outcome = await chat.ask({ ...request, signal });
      if (outcome.kind !== 'aborted' || !stop.aborted) return outcome;
      return { ...outcome, kind: 'broken', reason: texts.serverStopped };
    },
  };
}
