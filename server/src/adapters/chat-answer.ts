import type { ChatOutcome } from '../engine/port.ts';
import { type ReplyHeaders, restUntil } from './chat-limits.ts';

export interface Reply {
  status: number;
  headers: ReplyHeaders;
  /** Empty when only the status arrived. */
  body: Buffer;
}

/** What the outcome of a reply depends on besides the reply. */
export interface Asking {
  apiKey: string | null;
  now(): number;
}

const quoteCharacters = 200;

type Kind = Exclude<ChatOutcome['kind'], 'answered' | 'aborted'>;

/** What a status means; one that is not named goes by its hundred. */
const meanings: Readonly<Record<number, readonly [Kind, string]>> = {
  300: ['provider_refused', 'The provider’s address leads elsewhere'],
  400: ['row_refused', 'The provider refused this question'],
  401: ['provider_refused', 'The provider does not accept the key'],
  402: ['provider_refused', 'The provider asks for payment'],
  403: ['provider_refused', 'The provider does not allow this key to ask'],
  404: ['row_refused', 'The provider does not know this model'],
  408: ['broken', 'The provider waited too long for the question'],
  409: ['broken', 'The provider could not answer just now'],
  413: ['row_refused', 'The question is too long for the provider'],
  422: ['row_refused', 'The provider could not read this question'],
  425: ['broken', 'The provider could not answer just now'],
  429: ['try_later', 'The provider asks for fewer calls'],
  500: ['broken', 'The provider failed'],
  503: ['try_later', 'The provider is overloaded'],
};

/** These arrive with a 429, yet no waiting helps. */
const noQuota: ReadonlySet<unknown> = new Set([
  'insufficient_quota',
  'billing_not_active',
  'billing_hard_limit_reached',
]);
/** One question needs more than the limit of a minute: OpenAI says so with a 429, and it would come back for ever. */
const tooLarge = /^Request too large/;
/** Gemini says so with a 400, which would else fail every row. */
const badKey = /^API key (not valid|expired)/;

const decoder = new TextDecoder();

/** Turns a reply of the OpenAI-compatible chat protocol into an outcome; nothing in it is trusted to have any shape. */
export function judgeReply(reply: Reply, asking: Asking): ChatOutcome {
  const json = parse(reply.body);
  if (reply.status >= 200 && reply.status < 300) return judgeAnswer(json, asking);
  const said = errorOf(json);
  const [kind, meaning] = exceptionFor(reply.status, said) ??
    meanings[reply.status] ??
    meanings[hundred(reply.status)] ?? ['broken', 'The provider’s answer was not understood'];
  const reason = sentence(meaning, said.message, asking);
  if (kind === 'try_later')
    return { kind, reason, retryAt: restUntil(reply.headers, asking.now()) };
  return { kind, reason };
}

/** Where the words say more than the status. */
function exceptionFor(
  status: number,
  { message, codes }: { message: string; codes: unknown[] },
): readonly [Kind, string] | null {
  if (status === 429 && codes.some((code) => noQuota.has(code)))
    return ['provider_refused', 'The provider’s quota is used up'];
  if (status === 429 && tooLarge.test(message))
    return ['row_refused', 'The question is too long for the provider'];
  if (status === 400 && badKey.test(message))
    return ['provider_refused', 'The provider does not accept the key'];
  return null;
}

function judgeAnswer(json: unknown, asking: Asking): ChatOutcome {
  const choice = at(at(json, 'choices'), 0);
  const finish = at(choice, 'finish_reason');
  const message = at(choice, 'message');
  if (!isObject(message) || finish === 'error') {
    // A router in front of several providers passes their failures on with a 200.
    const said = errorOf(isObject(at(choice, 'error')) ? choice : json).message;
    return {
      kind: 'broken',
      reason: sentence('The provider’s answer was not understood', said, asking),
    };
  }
  if (finish === 'length')
    return {
      kind: 'row_refused',
      reason: 'The answer was cut off: it is longer than the model may write.',
    };
  if (finish === 'content_filter')
    return { kind: 'row_refused', reason: 'The provider’s content filter held the answer back.' };
  const text = clean(textOf(message.content));
  if (text.trim() !== '') return { kind: 'answered', text };
  if (typeof message.refusal === 'string' && message.refusal !== '')
    return {
      kind: 'row_refused',
      reason: sentence('The model refused to answer', message.refusal, asking),
    };
  return { kind: 'row_refused', reason: 'The answer was empty.' };
}

/** A reason for a person: the meaning, with the provider's own words where it gave some. */
function sentence(meaning: string, said: string, { apiKey }: Asking): string {
  const line = clean(said)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  // Hidden before it is cut, so that no part of a key stays at the end. Stars mark a key that the provider half hid itself.
  const hidden = (apiKey ? line.replaceAll(apiKey, '…') : line).replace(/\S*\*{3}\S*/g, '…');
  const quote =
    hidden.length > quoteCharacters
      ? `${hidden.slice(0, quoteCharacters - 1).toWellFormed()}…`
      : hidden;
  return quote === '' ? `${meaning}.` : `${meaning}: ${quote}`;
}

/** Providers put their words at different places: an object, a bare text, inside of a list. */
function errorOf(json: unknown): { message: string; codes: unknown[] } {
  const body = Array.isArray(json) ? json[0] : json;
  const error = at(body, 'error') ?? body;
  const message = [error, at(error, 'message'), at(error, 'detail')].find(
    (text) => typeof text === 'string',
  );
  return { message: message ?? '', codes: [at(error, 'code'), at(error, 'type')] };
}

/** Content comes as a text, or as parts of which only some are text. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content
    .map((part) => at(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

/** No database takes a NUL, and half a character breaks whoever encodes it next. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    return null;
  }
}

function hundred(status: number): number {
  return Math.floor(status / 100) * 100;
}

function at(value: unknown, key: string | number): unknown {
  return isObject(value) ? value[key] : undefined;
}

function isObject(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
