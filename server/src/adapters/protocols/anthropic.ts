import type { ReasoningEffort } from '@rowmill/contract';
import type { ChatRequest } from '../../engine/port.ts';
import { answerSchema } from '../answer-format.ts';
import { tokenCount } from '../chat-tokens.ts';
import { at, idsInData, listAt, type Protocol, textsOf, turnsOf, wantsSchema } from './protocol.ts';

const version = '2023-06-01';
/** The protocol needs a limit. All models on offer can write this much. */
const usualMaxTokens = 4_096;
/** No shorter text is cached: the least is 1,024 tokens, or up to 4,096 for some models. */
const cachedCharacters = 4_000;
const toolName = 'answer';

/** Messages. Answer columns are the input of a forced tool. No seed. */
export const anthropicProtocol: Protocol = {
  headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': version }),
  askPath: () => 'messages',
  listPath: 'models?limit=1000',
  bodyOf,
  completionOf,
  modelsOf: idsInData,
};

function bodyOf(request: ChatRequest): object {
  const { model, system, temperature, maxTokens, outputs, reasoningEffort: effort } = request;
  const input_schema = wantsSchema(request) ? answerSchema(outputs) : null;
  return {
    model,
    max_tokens: maxTokens ?? usualMaxTokens,
    system: system ? systemOf(system.toWellFormed()) : undefined,
    messages: turnsOf(request).map(({ role, text }) => ({ role, content: text })),
    temperature: temperature ?? undefined,
    top_p: request.topP,
    stop_sequences: request.stop,
    ...(effort && thinkingOf(effort)),
    ...(input_schema && {
      tools: [{ name: toolName, description: 'Takes the answer.', input_schema }],
      tool_choice: { type: 'tool', name: toolName },
    }),
  };
}

/** Later calls within five minutes read a long one from the cache, for a tenth of its price. */
function systemOf(text: string): unknown {
  if (text.length < cachedCharacters) return text;
  return [{ type: 'text', text, cache_control: { type: 'ephemeral' } }];
}

function thinkingOf(effort: ReasoningEffort): object {
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  return { output_config: { effort: effort === 'minimal' ? 'low' : effort } };
}

function completionOf(json: unknown): unknown {
  if (at(json, 'type') !== 'message') return json;
  const parts = listAt(json, 'content');
  const tool = parts.find((part) => at(part, 'type') === 'tool_use');
  const texts = parts.filter((part) => at(part, 'type') === 'text').map((part) => at(part, 'text'));
  const content = tool ? JSON.stringify(at(tool, 'input')) : textsOf(texts).join('');
  return {
    choices: [{ message: { content }, finish_reason: at(json, 'stop_reason') }],
    usage: usageOf(at(json, 'usage')),
  };
}

/** What was read from the cache and written to it is not part of `input_tokens`. */
function usageOf(usage: unknown): object {
  const count = (name: string) => tokenCount(at(usage, name));
  const input = count('input_tokens');
  const cached = count('cache_read_input_tokens') ?? 0;
  const written = count('cache_creation_input_tokens') ?? 0;
  return {
    prompt_tokens: input === undefined ? undefined : input + written + cached,
    completion_tokens: at(usage, 'output_tokens'),
    prompt_tokens_details: { cached_tokens: cached },
  };
}
