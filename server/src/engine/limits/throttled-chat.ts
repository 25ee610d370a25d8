import * as texts from '../../texts/model-calls.ts';
import type { ChatModel } from '../port.ts';
import type { Limits } from './provider-lanes.ts';

/** The model for single prompts and previews: sends nothing during a cooldown. */
export function throttledChat(
  chat: ChatModel,
  { limits, now }: { limits: Limits; now: () => number },
): ChatModel {
  return {
    name: chat.name,
    listModels: () => chat.listModels(),
    close: () => chat.close(),
    async ask(request) {
      const { cooldownUntil } = limits.of(request.model).limiter;
      const seconds = Math.ceil((cooldownUntil - now()) / 1_000);
      if (seconds > 0) {
        return {
          kind: 'try_later',
          retryAt: cooldownUntil,
          reason: texts.waitSeconds(seconds),
        };
      }
      return chat.ask(request);
    },
  };
}
