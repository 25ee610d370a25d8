import type { ChatRequest } from '../../engine/port.ts';
import { answerSchema } from '../answer-format.ts';
import { tokenCount } from '../chat-tokens.ts';
import { at, listAt, type Protocol, textsOf, turnsOf, wantsSchema } from './protocol.ts';

/** Every other reason than these is a filter, and the list of filters grows. */
const finishReasons: Readonly<Record<string, string>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  // Faults of the model. Another call often succeeds.
  MALFORMED_FUNCTION_CALL: 'error',
  MALFORMED_RESPONSE: 'error',
  UNEXPECTED_TOOL_CALL: 'error',
  TOO_MANY_TOOL_CALLS: 'error',
  MISSING_THOUGHT_SIGNATURE: 'error',
  FINISH_REASON_UNSPECIFIED: 'stop',
};

/** Google Gemini's `generateContent`. */
export const geminiProtocol: Protocol = {
  headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  askPath: (model) => `models/${encodeURIComponent(model)}:generateContent`,
  listPath: 'models?pageSize=1000',
  bodyOf,
  completionOf,
  modelsOf: (json) =>
    textsOf(
      listAt(json, 'models')
        .filter(answersPrompts)
        .map((model) => at(model, 'name')),
    ).map((name) => name.replace(/^models\//, '')),
};

const answersPrompts = (model: unknown) =>
  listAt(model, 'supportedGenerationMethods').includes('generateContent');

function bodyOf(request: ChatRequest): object {
  const { system, temperature, maxTokens, outputs } = request;
  return {
    systemInstruction: system ? { parts: [{ text: system.toWellFormed() }] } : undefined,
    contents: turnsOf(request).map(({ role, text }) => ({
      role: role === 'user' ? 'user' : 'model',
      parts: [{ text }],
    })),
    generationConfig: {
      temperature: temperature ?? undefined,
      maxOutputTokens: maxTokens ?? undefined,
      topP: request.topP,
      stopSequences: request.stop,
      seed: request.seed,
      thinkingConfig: thinkingOf(request),
      ...(wantsSchema(request) && {
        responseMimeType: 'application/json',
        responseJsonSchema: answerSchema(outputs),
      }),
    },
  };
}

/** Models before version 3 take tokens instead of a level. Google gives most of these. */
function thinkingOf({ model, reasoningEffort: effort }: ChatRequest): object | undefined {
  if (!effort) return undefined;
  const isLevelUnknown = /^gemini-[12][.-]/.test(model);
  return isLevelUnknown
    ? { thinkingBudget: thinkingBudgets[effort] }
    : { thinkingLevel: thinkingLevels[effort] };
}

const thinkingBudgets = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
} as const;

/** With the least, these models do not think about most prompts. */
const thinkingLevels = {
  none: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
} as const;

function completionOf(json: unknown): unknown {
  const [candidate] = listAt(json, 'candidates');
  const isBlocked = at(at(json, 'promptFeedback'), 'blockReason') !== undefined;
  if (!candidate && !isBlocked) return json;
  const parts = listAt(at(candidate, 'content'), 'parts');
  const texts = parts
    .filter((part) => at(part, 'thought') !== true)
    .map((part) => at(part, 'text'));
  const reason = isBlocked ? 'blocked' : String(at(candidate, 'finishReason') ?? 'STOP');
  const finish_reason = finishReasons[reason] ?? 'content_filter';
  return {
    choices: [
      {
        message: { content: textsOf(texts).join('') },
        finish_reason,
        ...(finish_reason === 'error' && { error: { message: reason } }),
      },
    ],
    usage: usageOf(at(json, 'usageMetadata')),
  };
}

/**
 * Thoughts are not part of `candidatesTokenCount`. Counts of zero are left out, as for a blocked
 * prompt; then the total is that of the prompt.
 */
function usageOf(usage: unknown): object {
  const count = (name: string) => tokenCount(at(usage, name));
  const prompt = count('promptTokenCount');
  const thoughts = count('thoughtsTokenCount');
  const answer = count('candidatesTokenCount');
  const isCounted = thoughts !== undefined || answer !== undefined;
  const isZero = prompt !== undefined && count('totalTokenCount') === prompt;
  return {
    prompt_tokens: prompt,
    completion_tokens: isCounted || isZero ? (answer ?? 0) + (thoughts ?? 0) : undefined,
    prompt_tokens_details: { cached_tokens: at(usage, 'cachedContentTokenCount') },
    completion_tokens_details: { reasoning_tokens: thoughts },
  };
}
