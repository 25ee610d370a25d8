import type { ChatOutcome } from '../engine/port.ts';
import { hasMoreValues } from '../lib/json-values.ts';
import { replyLimits } from '../lib/reply-limits.ts';
import * as texts from '../texts/model-calls.ts';
import { errorIn, meaningOf, statusIn } from './chat-errors.ts';
import { cooldownUntil, dateOfReply, type ReplyHeaders, statedLimits } from './chat-limits.ts';
import { readTokens } from './chat-tokens.ts';
import { dailyQuotaRenewal } from './daily-quota.ts';
import { at, listAt, type Protocol, textsOf } from './protocols/protocol.ts';
import { isStream, joinStream } from './streamed-reply.ts';

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

/** Anthropic (the window also Z.ai), Google, which routers pass on, and Mistral. */
const cutOffReasons: ReadonlySet<unknown> = new Set([
  'length',
  'max_tokens',
  'model_context_window_exceeded',
  'MAX_TOKENS',
  'model_length',
]);

/** The answer may be half. Routers, vLLM, DeepSeek, Z.ai, Google’s OpenAI-compatible address. */
const faultReasons =
  /^(error|abort|insufficient_system_resource|network_error)$|(MALFORMED_\w+|UNEXPECTED_TOOL_CALL)$/;

/** Google’s names come through its OpenAI-compatible address, also behind a colon. */
const filterReasons =
  /^(content_filter|refusal$|sensitive$|SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII)/;

const thoughtParts: ReadonlySet<unknown> = new Set(['thinking', 'reasoning']);
const thoughtTags = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  // Mistral's and OpenAI's open models, where their template is not read.
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<|channel|>analysis', close: '<|channel|>final<|message|>' },
  // The prompt template of DeepSeek R1 and Qwen opens the thoughts, so the answer only ends them.
  { open: '', close: '\n</think>\n' },
];

const utf8 = new TextDecoder();

/** Turns a reply into an outcome. Nothing in the reply is trusted to have a shape. */
export function interpretReply(reply: Reply, context: ReplyContext): ChatOutcome {
  const json = parseReply(reply.body, reply.headers['content-type']);
  if (reply.status < 200 || reply.status >= 300) return interpretError(reply, json, context);
  const completion = context.protocol.completionOf(json);
  const outcome = interpretCompletion(completion, reply, context);
  const tokens = readTokens(at(completion, 'usage')) ?? null;
  // An error in place of an answer costs nothing, with any status.
  if (!tokens && isErrorAlone(completion)) return outcome;
  const tier = at(completion, 'service_tier');
  return typeof tier === 'string' ? { ...outcome, tokens, tier } : { ...outcome, tokens };
}

function isErrorAlone(completion: unknown): boolean {
  return !isObject(at(at(completion, 'choices'), 0)) && statusIn(errorIn(completion)) !== null;
}

function interpretError(
  { status, headers }: Pick<Reply, 'status' | 'headers'>,
  json: unknown,
  context: ReplyContext,
): ChatOutcome {
  const said = errorIn(json);
  const date = dateOfReply(headers);
  const renewal = status === 429 ? dailyQuotaRenewal(json, said, date) : null;
  if (renewal !== null) {
    const reason = sentence(texts.dailyQuotaUsed(new Date(renewal)), said.message, context);
    return { kind: 'provider_refused', reason, retryAt: context.now() + renewal - date };
  }
  const [kind, meaning] = meaningOf(status, headers, said);
  const reason = sentence(meaning, said.message, context);
  if (kind === 'provider_refused' && status === 403 && meaning === texts.accessRefused)
    return { kind, reason, mayBeRow: true };
  if (kind !== 'try_later') return { kind, reason };
  const wait = waitIn(json);
  const named = wait === null ? headers : { 'retry-after-ms': `${wait}` };
  return { kind, reason, retryAt: cooldownUntil(named, context.now()) };
}

function interpretCompletion(
  json: unknown,
  { headers }: Reply,
  context: ReplyContext,
): ChatOutcome {
  const choice = at(at(json, 'choices'), 0);
  const message = at(choice, 'message');
  const finish = at(choice, 'finish_reason');
  if (!isObject(message) || faultReasons.test(String(finish))) {
    const failed = isObject(at(choice, 'error')) ? choice : json;
    const said = errorIn(failed);
    const status = statusIn(said);
    return status === null
      ? { kind: 'broken', reason: sentence(texts.notUnderstood, said.message, context) }
      : interpretError({ status, headers }, failed, context);
  }
  return withLimits(interpretMessage(message, finish, context), headers, context);
}

/** Adds the limits of an answer's headers, if there are any. */
function withLimits(
  outcome: ChatOutcome,
  headers: ReplyHeaders,
  { now }: ReplyContext,
): ChatOutcome {
  if (outcome.kind !== 'answered') return outcome;
  const limits = statedLimits(headers, now());
  return limits.length > 0 ? { ...outcome, limits } : outcome;
}

function interpretMessage(
  message: Record<string | number, unknown>,
  finish: unknown,
  context: ReplyContext,
): ChatOutcome {
  if (cutOffReasons.has(finish))
    return { kind: 'row_refused', reason: texts.cutOff, mark: 'cut_off' };
  if (filterReasons.test(String(finish))) return { kind: 'row_refused', reason: texts.filtered };
  const text = withoutThoughts(clean(textOf(message.content)));
  if (text.trim() !== '') return { kind: 'answered', text };
  if (typeof message.refusal === 'string' && message.refusal !== '')
    return {
      kind: 'row_refused',
      reason: sentence(texts.modelRefused, message.refusal, context),
      mark: 'refusal',
    };
  const callsTool = listAt(message, 'tool_calls').length > 0;
  const reason = callsTool ? texts.onlyToolCalls : texts.empty;
  return { kind: 'row_refused', reason, mark: 'empty' };
}

/** What providers make of a key themselves: stars or dots in the middle, or its SHA-256. */
const maskedKey = /\*\*\*|\.\.\.\w|[0-9a-f]{64}/i;

/** A text for people: the meaning, with the provider's own words if there are any. */
function sentence(meaning: string, said: string, { apiKey }: ReplyContext): string {
  const line = clean(said)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  // The key is hidden before any cut, so that no part of it is left.
  const withoutKey = apiKey ? line.replaceAll(apiKey, '…') : line;
  const words = withoutKey.slice(0, readCharacters).split(' ');
  const hidden = words.map((word) => (maskedKey.test(word) ? '…' : word)).join(' ');
  const quote =
    hidden.length > quoteCharacters
      ? `${hidden.slice(0, quoteCharacters - 1).toWellFormed()}…`
      : hidden;
  return quote === '' ? `${meaning}.` : `${meaning}: ${quote}`;
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
    .filter((part) => !thoughtParts.has(at(part, 'type')))
    .map((part) => at(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

/** Many local servers put the thoughts of a reasoning model in front of its answer. */
function withoutThoughts(text: string): string {
  const start = text.trimStart();
  const tag = thoughtTags.find(({ open }) => start.startsWith(open));
  const end = tag ? start.indexOf(tag.close) : -1;
  const isQuoted = tag?.open === '' && start.lastIndexOf('<think>', end) >= 0;
  return tag && end >= 0 && !isQuoted ? start.slice(end + tag.close.length).trimStart() : text;
}

/** PostgreSQL stores no NUL, and half a surrogate pair cannot be encoded as UTF-8. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Null for what is no JSON, or has more values than are parsed in one go. */
export function parseReply(body: Buffer, contentType: ReplyHeaders[string]): unknown {
  try {
    const text = decoderFor(`${contentType}`).decode(body);
    if (hasMoreValues(text, replyLimits.values)) return null;
    return text.startsWith('{') ? parseStart(text) : parseWrapped(text);
  } catch {
    return null;
  }
}

/** OpenRouter sends comments until the answer is ready. */
function parseWrapped(text: string): unknown {
  const json = text.replace(/^(\s*:.*\n)+/, '');
  return isStream(json) ? joinStream(json) : parseStart(json);
}

/** Some gateways send more behind the answer, such as `[DONE]`. */
function parseStart(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return JSON.parse(json.slice(0, json.lastIndexOf('}') + 1));
  }
}

/** JSON is UTF-8, but some gateways send another encoding and name it. */
function decoderFor(contentType: string): typeof utf8 {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]{1,40})/i.exec(contentType) ?? [];
  if (/^utf-?8$/i.test(charset)) return utf8;
  try {
    return new TextDecoder(charset);
  } catch {
    return utf8;
  }
}

function isObject(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
