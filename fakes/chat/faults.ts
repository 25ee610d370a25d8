import { type Choice, completion, failure, type PromptRequest, textFor } from './answers.ts';
import { isRecord, type JsonRecord } from './wire/wire.ts';

/** What a fault can do with a call. */
export interface FaultCall {
  request: PromptRequest;
  key: string | undefined;
  /** The listed answers. */
  answers: readonly string[];
  /** Sends a complete answer. */
  answer(
    status: number,
    body: string | Buffer,
    headers?: Record<string, string>,
    /** Changes the answer in the form of the protocol. */
    change?: (answer: JsonRecord) => JsonRecord,
  ): void;
  /** Sends the headers of an answer, and then pieces of a body that never ends. */
  begin(): void;
  write(piece: string): void;
  /** Writes bytes to the socket. */
  raw(bytes: string): void;
  reset(): void;
  /** Acts after a time, unless the connection is closed by then. */
  after(milliseconds: number, act: () => void): void;
  /** Acts when `releaseHeld` is called, unless the connection is closed by then. */
  hold(act: () => void): void;
}

type Fault = (call: FaultCall, ...parameters: string[]) => void;

/** Above the limit of 1 MiB for an answer. */
const hugeCharacters = 2_000_000;
const dripMilliseconds = 1_000;

/** What `[[name parameters…]]` in a prompt does to its call. The later of two names counts. */
const faults: Readonly<Record<string, Fault>> = {
  status: (call, code = '500') => call.answer(Number(code), failure(Number(code))),
  429: (call, header = 'retry-after', ...value) =>
    call.answer(429, failure(429), value.length > 0 ? { [header]: value.join(' ') } : {}),
  /** Many providers repeat the prompt that they refuse. */
  repeat: (call, status = '400') =>
    call.answer(Number(status), JSON.stringify({ error: { message: call.request.prompt } })),
  /** OpenRouter packs what the provider behind it sent. */
  'passed on': (call) => {
    const message = 'This prompt has 9000 tokens, and the model takes 8192.';
    const raw = JSON.stringify({ error: { message, code: 'context_length_exceeded' } });
    const error = { message: 'Provider returned error', code: 400, metadata: { raw } };
    call.answer(400, JSON.stringify({ error }));
  },
  /** OpenAI's newer models refuse the older name of the limit. */
  newer: (call) => {
    if (call.request.hasNewerLimit) return answerNormally(call);
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    call.answer(400, JSON.stringify({ error: { message, code: 'unsupported_parameter' } }));
  },
  /** Some repeat the key. */
  'repeat key': (call, status = '401') => {
    const message = `Incorrect API key provided: ${call.key}. You can find yours in your account.`;
    call.answer(Number(status), JSON.stringify({ error: { message } }));
  },
  /** The answer of another fault, without token counts. */
  uncounted: (call, name = '', ...parameters) => {
    const other = faults[name] ?? ((uncounted) => answerNormally(uncounted));
    const answer: FaultCall['answer'] = (status, body, headers) =>
      call.answer(status, body, headers, withoutUsage);
    other({ ...call, answer }, ...parameters);
  },
  /** Counts all tokens as a value, in JSON; without one the counts are missing. */
  usage: (call, value) => {
    const count = value === undefined ? undefined : JSON.parse(value);
    answerNormally(call, (answer) => withUsage(answer, count));
  },
  /** Counts only the input, or only the output. */
  'only input': (call) => answerNormally(call, (answer) => withoutCounts(answer, outputCounts)),
  'only output': (call) => answerNormally(call, (answer) => withoutCounts(answer, inputCounts)),
  /** Google's OpenAI-compatible address counts the thoughts of a model only in the total. */
  total: (call, total = '90') =>
    answerNormally(call, ({ usage, ...answer }) => {
      const { completion_tokens_details, ...counts } = usage as JsonRecord;
      return { ...answer, usage: { ...counts, total_tokens: Number(total) } };
    }),
  /** Says that another tier answered than was asked for. */
  tier: (call, service_tier = 'default') => {
    const request = { ...call.request, options: { ...call.request.options, service_tier } };
    call.answer(200, completion(request, { content: textFor(request) }));
  },
  quota: (call) => call.answer(429, failure(429, 'insufficient_quota')),
  'quota of the day': (call) => {
    const violations = [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }];
    const error = { code: 429, message: 'You exceeded your current quota.' };
    call.answer(429, JSON.stringify({ error: { ...error, details: [{ violations }] } }));
  },
  empty: (call) => complete(call, { content: '' }),
  /** Half an answer, and why it ends. */
  finish: (call, finishReason = 'stop') => complete(call, { content: 'Answer to', finishReason }),
  length: (call) => faults.finish?.(call, 'length'),
  filter: (call) => complete(call, { content: null, finishReason: 'content_filter' }),
  refusal: (call) => complete(call, { content: null, refusal: 'I cannot help with that.' }),
  plain: (call) => complete(call, { content: 'Plain words, whatever was asked for' }),
  /** An answer of the list. */
  answer: (call, number = '0') => complete(call, { content: call.answers[Number(number)] ?? '' }),
  /** Its first answer is unusable, and its correction is good. */
  corrected: (call) =>
    call.request.isCorrection
      ? answerNormally(call)
      : complete(call, { content: 'I would rather talk.' }),
  /** The correction has no token counts. */
  'corrected uncounted': (call) =>
    call.request.isCorrection
      ? answerNormally(call, withoutUsage)
      : complete(call, { content: 'I would rather talk.' }),
  /** The provider is down when the correction is asked for. */
  'corrected down': (call) =>
    call.request.isCorrection ? call.reset() : complete(call, { content: 'I would rather talk.' }),
  html: (call) =>
    call.answer(200, '<!doctype html><title>Please sign in</title>', {
      'content-type': 'text/html',
    }),
  /** Gateways that stream every answer. */
  streamed: (call) => {
    const { choices, ...rest } = JSON.parse(
      completion(call.request, { content: textFor(call.request) }),
    );
    const words = choices[0].message.content.split(/(?<= )/);
    const events = [
      ...words.map((content: string) => ({ choices: [{ delta: { content } }] })),
      { ...rest, choices: [{ delta: {}, finish_reason: 'stop' }] },
    ];
    const data = [...events.map((event) => JSON.stringify(event)), '[DONE]'];
    const body = data.map((event) => `data: ${event}\n\n`).join('');
    call.answer(200, body, { 'content-type': 'text/event-stream' });
  },
  /** Only for one model, if the prompt names it. */
  truncated: (call, model = call.request.model) => {
    const whole = completion(call.request, { content: textFor(call.request) });
    call.answer(200, model === call.request.model ? whole.slice(0, -20) : whole);
  },
  huge: (call) => complete(call, { content: 'x'.repeat(hugeCharacters) }),
  /** Gateways that compress without being asked. */
  compressed: (call, encoding = 'gzip', size = '') => {
    const content = size === 'huge' ? 'x'.repeat(hugeCharacters) : textFor(call.request);
    const headers = { 'content-encoding': encoding };
    complete(call, { content }, headers);
  },
  nul: (call) => complete(call, { content: 'before\0after' }),
  surrogate: (call) => complete(call, { content: 'before\ud800after' }),
  badutf8: (call) =>
    call.answer(
      200,
      Buffer.from(completion(call.request, { content: 'before\u00c3after' }), 'latin1'),
    ),
  hang: () => {},
  held: (call) => call.hold(() => answerNormally(call)),
  'hang after headers': (call) => call.begin(),
  'half headers': (call) => call.raw('HTTP/1.1 200 OK\r\ncontent-ty'),
  drip: (call) => {
    call.begin();
    drip(call);
  },
  reset: (call) => call.reset(),
  slow: (call, milliseconds = '2000') =>
    call.after(Number(milliseconds), () => answerNormally(call)),
};
const names = Object.keys(faults);

/** Answers a call in the way that its prompt asks for. */
export function perform(call: FaultCall): void {
  const { prompt } = call.request;
  const sentinel = prompt.includes('[[') ? (/\[\[([^[\]]+)\]\]/.exec(prompt)?.[1] ?? '') : '';
  const name =
    sentinel && names.findLast((known) => sentinel === known || sentinel.startsWith(`${known} `));
  const fault = name ? faults[name] : undefined;
  if (name && fault) fault(call, ...sentinel.slice(name.length).split(' ').filter(Boolean));
  else answerNormally(call);
}

function complete(call: FaultCall, choice: Choice, headers?: Record<string, string>): void {
  call.answer(200, completion(call.request, choice), headers);
}

function answerNormally(call: FaultCall, change?: (answer: JsonRecord) => JsonRecord): void {
  call.answer(200, completion(call.request, { content: textFor(call.request) }), {}, change);
}

const withoutUsage = ({ usage, usageMetadata, ...answer }: JsonRecord) => answer;
const inputCounts = /^(prompt|input|cache_\w+_input|total)_tokens$|^(prompt|total)TokenCount$/;
const outputCounts = /^(completion|output|total)_tokens$|^(candidates|thoughts|total)TokenCount$/;

function withoutCounts(answer: JsonRecord, names: RegExp): JsonRecord {
  const name = usageField(answer);
  const counts = Object.entries(answer[name] as JsonRecord);
  return { ...answer, [name]: Object.fromEntries(counts.filter(([key]) => !names.test(key))) };
}

/** In the field of OpenAI and Anthropic, or in Gemini's. */
const usageField = (answer: JsonRecord) => ('usageMetadata' in answer ? 'usageMetadata' : 'usage');

function withUsage(answer: JsonRecord, count: unknown): JsonRecord {
  const name = usageField(answer);
  const change = (part: unknown): unknown => {
    if (!isRecord(part)) return count;
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, change(value)]));
  };
  return { ...answer, [name]: change(answer[name]) };
}

function drip(call: FaultCall): void {
  call.write(' ');
  call.after(dripMilliseconds, () => drip(call));
}
