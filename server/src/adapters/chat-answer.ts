import type { ChatOutcome } from '../engine/port.ts';
import { hasMoreValues } from '../lib/json-values.ts';
import { replyLimits } from '../lib/reply-limits.ts';
import * as texts from '../texts/model-calls.ts';
import { allowsNoCalls, cooldownUntil, type ReplyHeaders, statedLimits } from './chat-limits.ts';
import { readTokens } from './chat-tokens.ts';
import { at, listAt, type Protocol, textsOf } from './protocols/protocol.ts';

export interface Reply {
  status: number;
  headers: ReplyHeaders;
  /** Empty when only the status arrived. */
  body: Buffer;
}

export interface ReplyContext {
  apiKey: string | null;
  now(): number;
  protocol: Pick<Protocol, 'completionOf'>;
}

/** The provider's words in a problem text: a sentence or two, short enough for a cell. */
const quoteCharacters = 200;
/** No more of the provider's message is looked at. */
const readCharacters = 2_000;

type Kind = Exclude<ChatOutcome['kind'], 'answered' | 'unusable' | 'aborted'>;

/** What a status means. One that is missing here counts as the first of its class: 418 as 400. */
const meanings: Readonly<Record<number, readonly [Kind, string]>> = {
  300: ['provider_refused', texts.redirected],
  400: ['request_refused', texts.requestRefused],
  401: ['provider_refused', texts.keyRefused],
  402: ['provider_refused', texts.paymentWanted],
  403: ['provider_refused', texts.keyNotAllowed],
  404: ['request_refused', texts.unknownModel],
  408: ['broken', texts.promptLate],
  409: ['broken', texts.notJustNow],
  413: ['row_refused', texts.promptTooLong],
  422: ['request_refused', texts.requestUnreadable],
  425: ['broken', texts.notJustNow],
  429: ['try_later', texts.fewerCalls],
  // Groq's flex tier.
  498: ['no_capacity', texts.noCapacity],
  500: ['broken', texts.failed],
  503: ['try_later', texts.overloaded],
  529: ['try_later', texts.overloaded],
};

/** These come with a 429, although waiting does not help. */
const quotaCodes: ReadonlySet<unknown> = new Set([
  'insufficient_quota',
  'billing_not_active',
  'billing_hard_limit_reached',
]);
/** OpenAI answers 429 to a single prompt above the limit per minute, which no retry helps. */
const tooLarge = /^Request too large/;
/** Codes and words of a 400 that is about the prompt of one row. */
const rowCodes: ReadonlySet<unknown> = new Set([
  'context_length_exceeded',
  'string_above_max_length',
  'content_filter',
  'content_policy_violation',
  'invalid_prompt',
]);
const rowWords =
  /context (length|window)|too (long|many tokens)|content (policy|filter|management)|safety/i;
/** Anthropic answers 400 without credit. */
const noCredit = /credit balance is too low/;
/** Gemini answers 400 to a bad key, which would fail every row. */
const badKey = /^API key (not valid|expired)/;

/** Routers pass on what Anthropic and Google call it. */
const cutOffReasons: ReadonlySet<unknown> = new Set(['length', 'max_tokens', 'MAX_TOKENS']);

const thoughtTags = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
];

const decoder = new TextDecoder();

/** Turns a reply into an outcome. Nothing in the reply is trusted to have a shape. */
export function interpretReply(reply: Reply, context: ReplyContext): ChatOutcome {
  const json = parseReply(reply.body);
  if (reply.status >= 200 && reply.status < 300)
    return withLimits(
      interpretCompletion(context.protocol.completionOf(json), context),
      reply,
      context,
    );
  const said = errorOf(json);
  const [kind, meaning] = exceptionFor(reply, said) ??
    meanings[reply.status] ??
    meanings[statusClass(reply.status)] ?? ['broken', texts.notUnderstood];
  const reason = sentence(meaning, said.message, context);
  if (kind === 'try_later') {
    const wait = waitIn(json);
    const headers = wait === null ? reply.headers : { 'retry-after-ms': `${wait}` };
    return { kind, reason, retryAt: cooldownUntil(headers, context.now()) };
  }
  return { kind, reason };
}

function interpretCompletion(json: unknown, context: ReplyContext): ChatOutcome {
  const outcome = interpretAnswer(json, context);
  const tokens = readTokens(at(json, 'usage')) ?? null;
  const tier = at(json, 'service_tier');
  return typeof tier === 'string' ? { ...outcome, tokens, tier } : { ...outcome, tokens };
}

/** Adds the limits of an answer's headers, if there are any. */
function withLimits(outcome: ChatOutcome, { headers }: Reply, { now }: ReplyContext): ChatOutcome {
  if (outcome.kind !== 'answered') return outcome;
  const limits = statedLimits(headers, now());
  return limits.length > 0 ? { ...outcome, limits } : outcome;
}

/** Errors whose code, message or headers say more than the status. */
function exceptionFor(
  { status, headers }: Reply,
  { message, codes }: { message: string; codes: unknown[] },
): readonly [Kind, string] | null {
  if (status === 429 && codes.some((code) => quotaCodes.has(code)))
    return ['provider_refused', texts.quotaUsed];
  if (status === 429 && allowsNoCalls(headers)) return ['provider_refused', texts.noCalls];
  if (status === 429 && codes.includes('resource_unavailable'))
    return ['no_capacity', texts.noCapacity];
  if (status === 429 && tooLarge.test(message)) return ['row_refused', texts.promptTooLong];
  if (status === 400 && noCredit.test(message)) return ['provider_refused', texts.quotaUsed];
  if (status === 400 && badKey.test(message)) return ['provider_refused', texts.keyRefused];
  if (status === 400 && (codes.some((code) => rowCodes.has(code)) || rowWords.test(message)))
    return ['row_refused', texts.promptRefused];
  return null;
}

function interpretAnswer(json: unknown, context: ReplyContext): ChatOutcome {
  const choice = at(at(json, 'choices'), 0);
  const finish = at(choice, 'finish_reason');
  const message = at(choice, 'message');
  if (!isObject(message) || finish === 'error') {
    // Routers such as OpenRouter pass on a provider's failure with status 200.
    const said = errorOf(isObject(at(choice, 'error')) ? choice : json).message;
    return {
      kind: 'broken',
      reason: sentence(texts.notUnderstood, said, context),
    };
  }
  if (cutOffReasons.has(finish))
    return {
      kind: 'row_refused',
      reason: texts.cutOff,
      mark: 'cut_off',
    };
  if (finish === 'content_filter') return { kind: 'row_refused', reason: texts.filtered };
  const text = withoutThoughts(clean(textOf(message.content)));
  if (text.trim() !== '') return { kind: 'answered', text };
  if (typeof message.refusal === 'string' && message.refusal !== '')
    return {
      kind: 'row_refused',
      reason: sentence(texts.modelRefused, message.refusal, context),
      mark: 'refusal',
    };
  return { kind: 'row_refused', reason: texts.empty, mark: 'empty' };
}

/** A text for people: the meaning, with the provider's own words if there are any. */
function sentence(meaning: string, said: string, { apiKey }: ReplyContext): string {
  const line = clean(said)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  // The key is hidden before any cut, so that no part of it is left.
  const withoutKey = apiKey ? line.replaceAll(apiKey, '…') : line;
  // Stars mark a key that the provider masked itself.
  const words = withoutKey.slice(0, readCharacters).split(' ');
  const hidden = words.map((word) => (word.includes('***') ? '…' : word)).join(' ');
  const quote =
    hidden.length > quoteCharacters
      ? `${hidden.slice(0, quoteCharacters - 1).toWellFormed()}…`
      : hidden;
  return quote === '' ? `${meaning}.` : `${meaning}: ${quote}`;
}

/** Providers put errors in different places: an object, a bare string, a list. */
function errorOf(json: unknown): { message: string; codes: unknown[] } {
  const body = Array.isArray(json) ? json[0] : json;
  const error = at(body, 'error') ?? body;
  const message = [error, at(error, 'message'), at(error, 'detail')].find(
    (text) => typeof text === 'string',
  );
  return { message: message ?? '', codes: [at(error, 'code'), at(error, 'type')] };
}

/** Milliseconds. Google writes `"retryDelay": "34.5s"` in the details of an error. */
function waitIn(json: unknown): number | null {
  const error = at(Array.isArray(json) ? json[0] : json, 'error');
  const [delay] = textsOf(listAt(error, 'details').map((detail) => at(detail, 'retryDelay')));
  const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay ?? '') ?? [];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}

/** Content is a string, or a list of parts. Only some parts are text. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content
    .map((part) => at(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

/** Many local servers put the thoughts of a reasoning model in front of its answer. */
function withoutThoughts(text: string): string {
  const start = text.trimStart();
  const tag = thoughtTags.find(({ open }) => start.startsWith(open));
  const end = tag ? start.indexOf(tag.close) : -1;
  return tag && end >= 0 ? start.slice(end + tag.close.length).trimStart() : text;
}

/** PostgreSQL stores no NUL, and half a surrogate pair cannot be encoded as UTF-8. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Null for what is no JSON, or has more values than are parsed in one go. */
export function parseReply(body: Buffer): unknown {
  try {
    const text = decoder.decode(body);
    return hasMoreValues(text, replyLimits.values) ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function statusClass(status: number): number {
  return Math.floor(status / 100) * 100;
}

function isObject(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
