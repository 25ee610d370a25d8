import type { CallRequest, ModelOption } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import type { AskOptions } from '../../db/schema.ts';
import type { ChatRequest } from '../../engine/port.ts';

type Query = NonNullable<CallRequest<'askChatGpt'>['query']>;

/** Leaves out rare unset options, so that older previews keep their fingerprint. */
export function askOptions(query: Pick<Query, ModelOption>): AskOptions {
  const { top_p, stop, seed, reasoning_effort } = query;
  return {
    system: query.system ?? null,
    temperature: query.temperature ?? null,
    max_tokens: query.max_tokens ?? null,
    outputs: query.outputs ?? [],
    ...(top_p !== undefined && { top_p }),
    ...(stop && { stop }),
    ...(seed !== undefined && { seed }),
    ...(reasoning_effort && { reasoning_effort }),
  };
}

/** Of a prompt or preview with its turn, its call, and that of a fallback or a correction. */
export const longestAsk = ({ config }: Context) => 3 * config.chat.deadlineMilliseconds;

interface Asked {
  model: string;
  prompt: string;
  options: AskOptions;
  position?: number;
  person?: string;
  signal?: AbortSignal;
}

/** The one mapping from stored options to a call of the chat model. */
export function chatRequest(
  ctx: Context,
  { model, prompt, options, position, person, signal }: Asked,
): ChatRequest {
  return {
    model,
    prompt,
    system: options.system,
    temperature: options.temperature,
    maxTokens: options.max_tokens,
    topP: options.top_p,
    stop: options.stop,
    seed: options.seed,
    reasoningEffort: options.reasoning_effort,
    outputs: options.outputs,
    position: position ?? null,
    person,
    deadlineMilliseconds: ctx.config.chat.deadlineMilliseconds,
    signal: signal ?? AbortSignal.timeout(longestAsk(ctx)),
  };
}
