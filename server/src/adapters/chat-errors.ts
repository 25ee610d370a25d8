import type { ChatOutcome } from '../engine/port.ts';
import { hasMoreValues } from '../lib/json-values.ts';
import { replyLimits } from '../lib/reply-limits.ts';
import * as texts from '../texts/model-calls.ts';
import { allowsNoCalls, type ReplyHeaders } from './chat-limits.ts';
import { at } from './protocols/protocol.ts';

type Kind = Exclude<ChatOutcome['kind'], 'answered' | 'unusable' | 'aborted'>;
type Meaning = readonly [Kind, string];

/** What a provider says about a call that it did not answer. */
export interface ProviderError {
  message: string;
  codes: unknown[];
}

/** What a status means. One that is missing here counts as the first of its class: 418 as 400. */
const meanings: Readonly<Record<number, Meaning>> = {
  300: ['provider_refused', texts.redirected],
  400: ['request_refused', texts.requestRefused],
  401: ['provider_refused', texts.keyRefused],
  402: ['provider_refused', texts.paymentWanted],
  403: ['provider_refused', texts.accessRefused],
  404: ['request_refused', texts.unknownModel],
  408: ['broken', texts.promptLate],
  409: ['broken', texts.notJustNow],
  413: ['row_refused', texts.promptTooLong],
  422: ['request_refused', texts.requestUnreadable],
  425: ['broken', texts.notJustNow],
  429: ['try_later', texts.fewerCalls],
  // Groq's flex tier.
  498: ['no_capacity', texts.noCapacity],
  // Google under load.
  499: ['broken', texts.notJustNow],
  500: ['broken', texts.failed],
  503: ['try_later', texts.overloaded],
  529: ['try_later', texts.overloaded],
};

/** A rule applies to its statuses when the provider sends one of its codes, or such a message. */
interface Rule {
  statuses: readonly number[];
  codes?: readonly string[];
  words?: RegExp;
  meaning: Meaning;
}

/**
 * Errors whose code or message says more than the status. Messages may quote the prompt, so the
 * words that pause a batch are only searched at their start.
 */
const rules: readonly Rule[] = [
  {
    // Waiting is no help. OpenAI, Moonshot, Alibaba, LiteLLM, Z.ai; Anthropic, Fireworks, Google.
    statuses: [400, 403, 412, 429],
    codes: [
      'insufficient_quota',
      'billing_not_active',
      'billing_hard_limit_reached',
      'exceeded_current_quota_error',
      'Arrearage',
      'budget_exceeded',
      '1113',
    ],
    words:
      /^(Your credit balance is too low|You have reached your specified .{0,30}usage limits|Your prepayment credits are depleted|Your project has exceeded its .{0,20}spending cap|Account \S+ is suspended)/,
    meaning: ['provider_refused', texts.quotaUsed],
  },
  {
    // Google and xAI answer 400 to a bad key, which would fail every row.
    statuses: [400],
    words: /^(API key (not valid|expired)|Incorrect API key)/,
    meaning: ['provider_refused', texts.keyRefused],
  },
  {
    // Anthropic and Google.
    statuses: [400],
    words: /^(This organization has been disabled|User location is not supported)/,
    meaning: ['provider_refused', texts.accessRefused],
  },
  {
    statuses: [429],
    codes: ['resource_unavailable'],
    meaning: ['no_capacity', texts.noCapacity],
  },
  {
    // OpenAI answers 429 to a single prompt above the limit per minute, which no retry helps.
    statuses: [429],
    words: /^Request too large/,
    meaning: ['row_refused', texts.promptTooLong],
  },
  {
    // Groq checks answers itself. The next one may be right.
    statuses: [400],
    codes: ['json_validate_failed'],
    meaning: ['broken', texts.notUnderstood],
  },
  {
    statuses: [400],
    codes: [
      'context_length_exceeded',
      'exceed_context_size_error',
      'string_above_max_length',
      'content_filter',
      'content_policy_violation',
      'data_inspection_failed',
      'invalid_prompt',
    ],
    words:
      /context (length|window|size|limit)|maximum (prompt|model) length|exceeds the maximum number of tokens|too (long|many tokens)|content (policy|filter|management)|content exists risk|safety/i,
    meaning: ['row_refused', texts.promptRefused],
  },
  {
    // OpenRouter and xAI. Any other 403 is about the key, unless a test of the key is answered.
    statuses: [403],
    codes: ['content_filter', 'content_policy_violation'],
    words: /^Content violates usage guidelines|your input was flagged/i,
    meaning: ['row_refused', texts.promptRefused],
  },
];

export function meaningOf(status: number, headers: ReplyHeaders, said: ProviderError): Meaning {
  const { codes, message } = said;
  const rule = rules.find(
    ({ statuses, codes: known = [], words }) =>
      statuses.includes(status) &&
      (codes.some((code) => known.includes(String(code))) || words?.test(message)),
  );
  if (rule) return rule.meaning;
  if (status === 429 && allowsNoCalls(headers)) return ['provider_refused', texts.noCalls];
  // The page of a firewall, which may have blocked one prompt. Ten equal refusals pause the batch.
  if (status === 403 && `${headers['content-type']}`.startsWith('text/html'))
    return ['request_refused', texts.firewall];
  // “Not Found”, “Invalid URL” or a page: the address may have the wrong path.
  if (status === 404 && !/model|deployment/i.test(message))
    return ['request_refused', texts.unknownAddress];
  return meanings[status] ?? meanings[statusClass(status)] ?? ['broken', texts.notUnderstood];
}

/** With status 200, MiniMax states its own codes, and gateways the names of others. */
const miniMaxStatuses: Readonly<Record<string, number>> = {
  1002: 429,
  1004: 401,
  1008: 402,
  1039: 429,
  2049: 401,
};
const namedStatuses: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  insufficient_quota: 429,
  overloaded_error: 529,
  invalid_api_key: 401,
  authentication_error: 401,
  context_length_exceeded: 400,
};

/** OpenRouter says “Provider returned error” and adds what that provider sent: JSON or words. */
export function errorIn(json: unknown): ProviderError {
  const said = statedIn(json);
  const raw = at(at(at(json, 'error'), 'metadata'), 'raw');
  const passedOn = statedIn(typeof raw === 'string' ? parsed(raw) : raw);
  return { message: passedOn.message || said.message, codes: [...said.codes, ...passedOn.codes] };
}

/** Providers put errors in different places: an object, a bare string, a list. */
function statedIn(json: unknown): ProviderError {
  const body = Array.isArray(json) ? json[0] : json;
  const own = at(body, 'base_resp');
  if (at(own, 'status_msg'))
    return {
      message: `${at(own, 'status_msg')}`,
      codes: [miniMaxStatuses[`${at(own, 'status_code')}`]],
    };
  // Cloudflare has a list.
  const error = at(body, 'error') ?? at(at(body, 'errors'), 0) ?? body;
  const stated = at(error, 'message');
  // FastAPI, on which many servers are built, has a list.
  const detail = at(error, 'detail') ?? at(stated, 'detail');
  const message = [error, stated, detail, at(at(detail, 0), 'msg')].find(
    (text) => typeof text === 'string',
  );
  return { message: message ?? '', codes: [at(error, 'code'), at(error, 'type')] };
}

/** Of a page, nothing is worth quoting. */
function parsed(raw: string): unknown {
  if (raw.trimStart().startsWith('<') || hasMoreValues(raw, replyLimits.values)) return null;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

/** Routers such as OpenRouter pass on a provider's failure with status 200 and its own as code. */
export function statusIn({ codes }: ProviderError): number | null {
  const code = Number(codes[0]);
  if (code >= 400 && code <= 599) return code;
  const named = codes.map(String).find((name) => Object.hasOwn(namedStatuses, name));
  return named === undefined ? null : (namedStatuses[named] ?? null);
}

function statusClass(status: number): number {
  return Math.floor(status / 100) * 100;
}
