import type { ChatRequest } from '../../engine/port.ts';
import { responseFormat } from '../answer-format.ts';
import { idsInData, type Protocol, turnsOf, wantsSchema } from './protocol.ts';

/** OpenAI's chat completions, which most other providers and local servers speak too. */
export function openAiProtocol(base: URL): Protocol {
  const tokensField = tokensFieldOf(base.hostname);
  /** Models of OpenAI behind a gateway. */
  const newer = new Set<string>();
  return {
    headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
    askPath: () => 'chat/completions',
    listPath: 'models',
    bodyOf: (request) => bodyOf(request, newer.has(request.model) ? newerField : tokensField),
    learn: ({ model, maxTokens }, refusal) => {
      if (maxTokens === null || tokensField === newerField) return false;
      if (!refusesOlderField.test(refusal)) return false;
      newer.add(model);
      return true;
    },
    completionOf: (json) => json,
    modelsOf: idsInData,
  };
}

/** Azure OpenAI: another header, and the model is a deployment, which is not listed. */
export function azureProtocol(base: URL): Protocol {
  const openAi = openAiProtocol(base);
  const version = base.searchParams.has('api-version') ? '' : `?api-version=${azureVersion}`;
  const isVersionless = /\/v1(\/chat\/completions)?\/*$/.test(base.pathname);
  return {
    ...openAi,
    headers: (apiKey) => ({ 'api-key': apiKey }),
    askPath: (model) =>
      isVersionless
        ? 'chat/completions'
        : `deployments/${encodeURIComponent(model)}/chat/completions${version}`,
    listPath: null,
    bodyOf: (request) => bodyOf(request, newerField),
  };
}

/** For addresses that end in `/openai`; those that end in `/openai/v1` need none. */
const azureVersion = '2024-10-21';

const newerField = 'max_completion_tokens';
const refusesOlderField = /max_tokens\W.{0,40}not supported.*max_completion_tokens/;

/** OpenAI's newer models refuse `max_tokens`, the only field that other providers know. */
function tokensFieldOf(host: string): string {
  return /(^|\.)openai(\.azure)?\.com$/.test(host) ? newerField : 'max_tokens';
}

function bodyOf(request: ChatRequest, tokensField: string): object {
  const { model, system, maxTokens, outputs } = request;
  return {
    model,
    messages: [
      ...(system ? [{ role: 'system', content: system.toWellFormed() }] : []),
      ...turnsOf(request).map(({ role, text }) => ({ role, content: text })),
    ],
    temperature: request.temperature ?? undefined,
    top_p: request.topP,
    stop: request.stop,
    seed: request.seed,
    reasoning_effort: request.reasoningEffort,
    service_tier: request.serviceTier,
    [tokensField]: maxTokens ?? undefined,
    response_format: wantsSchema(request) ? responseFormat(outputs) : undefined,
  };
}
