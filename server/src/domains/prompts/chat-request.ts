import type { askChatGpt, ParsedRequestOf } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import type { AskOptions } from '../../db/schema.ts';
import type { ChatRequest } from '../../engine/port.ts';

type Query = NonNullable<ParsedRequestOf<typeof askChatGpt>['query']>;

export function askOptions({
  system,
  temperature,
  max_tokens,
  outputs,
}: Pick<Query, 'system' | 'temperature' | 'max_tokens' | 'outputs'>): AskOptions {
  return {
    system: system ?? null,
    temperature: temperature ?? null,
    max_tokens: max_tokens ?? null,
    outputs: outputs ?? [],
  };
}

interface Asked {
  model: string;
  prompt: string;
  options: AskOptions;
  position?: number;
  signal?: AbortSignal;
}

/** The one mapping from stored options to a call of the chat model. */
export function chatRequest(
  ctx: Context,
  { model, prompt, options, position, signal }: Asked,
): ChatRequest {
  return {
    model,
    prompt,
    system: options.system,
    temperature: options.temperature,
    maxTokens: options.max_tokens,
    outputs: options.outputs,
    position: position ?? null,
    deadlineMilliseconds: ctx.config.chat.deadlineMilliseconds,
    signal: signal ?? new AbortController().signal,
  };
}
