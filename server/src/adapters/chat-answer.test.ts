import { describe, expect, it } from 'vitest';
import { interpretReply } from './chat-answer.ts';
import { geminiProtocol } from './protocols/gemini.ts';

const apiKey = 'sk-secret-0123456789';
const interpret = (status: number, body: unknown, headers = {}) =>
  interpretReply(
    {
      status,
      headers,
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    },
    { apiKey, protocol: { completionOf: (json) => json }, now: () => 0 },
  );
const answered = (message: unknown, finish_reason: unknown = 'stop') =>
  interpret(200, { choices: [{ message, finish_reason }] });
/** Parsing a megabyte of them takes a tenth of a second. */
const many = Array.from({ length: 60_000 }, () => []);
const reasonOf = (status: number, message: unknown) => {
  const outcome = interpret(status, { error: { message } });
  return 'reason' in outcome ? outcome.reason : '';
};

const text = (message: string) => ({ message });
/** As OpenRouter does. */
const passedOn = (raw: unknown) => ({
  error: { message: 'Provider returned error', code: 400, metadata: { raw } },
});

describe('an answer', () => {
  it.each([
    ['text', { content: 'yes' }, 'yes'],
    ['text with space around', { content: ' yes\n' }, ' yes\n'],
    [
      'parts',
      {
        content: [
          { type: 'thinking', thinking: [] },
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'yes' },
          { type: 'text', text: '!' },
        ],
      },
      'yes!',
    ],
    ['thoughts in front', { content: '\n<think>\nMaybe.\n</think>\n\nyes\n' }, 'yes\n'],
    ['other thoughts', { content: '<thinking></thinking>yes</thinking>' }, 'yes</thinking>'],
    ['thoughts of Mistral', { content: '[THINK]Maybe.[/THINK]yes' }, 'yes'],
    [
      'a channel of thoughts',
      {
        content:
          '<|channel|>analysis<|message|>Maybe.<|end|><|start|>assistant<|channel|>final<|message|>yes',
      },
      'yes',
    ],
    ['the end of thoughts', { content: 'Maybe.\n</think>\n\nyes' }, 'yes'],
    ['quoted tags', { content: '<a>\n<think>\n</think>\n' }, '<a>\n<think>\n</think>\n'],
    ['thoughts without an end', { content: '<think>yes' }, '<think>yes'],
    ['thoughts behind', { content: 'yes <think>no</think>' }, 'yes <think>no</think>'],
  ])('with %s is accepted', (_name, message, text) => {
    expect(answered(message)).toEqual({ kind: 'answered', text, tokens: null });
  });

  it('that is an error has no cost, unless tokens were counted', () => {
    const error = { code: 429, message: 'Too many' };
    expect(interpret(200, { error })).not.toHaveProperty('tokens');
    const usage = { prompt_tokens: 3, completion_tokens: 1 };
    expect(interpret(200, { error, usage })).toMatchObject({ tokens: { input: 3, output: 1 } });
    expect(interpret(200, { choices: [] })).toMatchObject({ tokens: null });
  });

  it('without a finish reason is accepted', () => {
    expect(answered({ content: 'yes' }, null)).toEqual({
      kind: 'answered',
      text: 'yes',
      tokens: null,
    });
  });

  it.each([
    ['after a byte order mark', '\ufeff', ''],
    ['after lines that keep the connection open', '\n    \r\n \n', '\n'],
    ['after comments', ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n', ''],
    ['before the end of a stream', '', '\n\ndata: [DONE]\n\n'],
    ['before zeros', '', '\0\0'],
  ])('%s is accepted', (_where, before, behind) => {
    const whole = JSON.stringify({ choices: [{ message: { content: 'yes {' } }] });
    const outcome = interpret(200, `${before}${whole}${behind}`);
    expect(outcome).toEqual({ kind: 'answered', text: 'yes {', tokens: null });
  });

  it.each([
    ['nothing', { content: null }],
    ['white space', { content: ' \n' }],
    ['a NUL', { content: '\0' }],
    ['only thoughts', { content: '<think>yes</think>\n' }],
    ['a number', { content: 7 }],
    ['a tool call', { content: null, tool_calls: [{}] }],
  ])('with %s as content is empty', (_name, message) => {
    expect(answered(message)).toMatchObject({ kind: 'row_refused', mark: 'empty' });
  });

  it('that is only a tool call says so', () => {
    expect(answered({ content: '', tool_calls: [{ type: 'function' }] })).toMatchObject({
      reason: 'The model called a tool instead of answering.',
    });
  });

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', []],
    ['no choices', { choices: [] }],
    ['a choice of the wrong shape', { choices: 'yes' }],
    ['no message', { choices: [{}] }],
    ['more values than are read', { choices: [{ message: { content: 'a' } }], more: many }],
    ['an error', { error: { message: 'Bad gateway' } }],
    [
      'a failed choice',
      {
        choices: [
          { error: { message: 'Bad gateway' }, finish_reason: 'error', message: { content: 'ye' } },
        ],
      },
    ],
  ])('that is %s counts as broken', (_name, body) => {
    expect(interpret(200, body)).toMatchObject({
      kind: 'broken',
      reason: expect.stringContaining('could not be read'),
    });
  });
});

describe('an error with status 200', () => {
  it.each<[body: object, kind: string]>([
    [{ error: { code: 'rate_limit_exceeded', message: 'Slow' } }, 'try_later'],
    [{ error: { type: 'overloaded_error' }, type: 'error' }, 'try_later'],
    [{ error: { code: 'insufficient_quota' } }, 'provider_refused'],
    [{ error: { code: 'invalid_api_key' } }, 'provider_refused'],
    [{ error: { code: 'context_length_exceeded' } }, 'row_refused'],
    [{ error: { code: 'constructor' } }, 'broken'],
    [{ choices: null, base_resp: { status_code: 1002, status_msg: 'rate limit' } }, 'try_later'],
    [
      { choices: null, base_resp: { status_code: 1008, status_msg: 'balance' } },
      'provider_refused',
    ],
    [{ choices: null, base_resp: { status_code: 1000, status_msg: 'unknown' } }, 'broken'],
  ])('that only has a name, or a code of MiniMax (%j), means what that means', (body, kind) => {
    expect(interpret(200, body)).toMatchObject({ kind });
  });

  it.each<[code: unknown, kind: string]>([
    [401, 'provider_refused'],
    [402, 'provider_refused'],
    ['429', 'try_later'],
    [502, 'broken'],
  ])('and the code %o means what its code means', (code, kind) => {
    const error = { code, message: 'Sorry' };
    const choice = { error, finish_reason: 'error', message: { content: 'ye' } };
    expect(interpret(200, { error })).toMatchObject({ kind });
    expect(interpret(200, { choices: [choice] })).toMatchObject({ kind });
  });
});

it.each([
  [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }, 'broken'],
  [{ content: {}, finishReason: 'TOO_MANY_TOOL_CALLS' }, 'broken'],
  [{ content: { parts: [{ text: 'yes' }] } }, 'answered'],
  [{ content: { parts: [{ text: 'yes' }] }, finishReason: 'LANGUAGE' }, 'row_refused'],
])('the candidate %j of Gemini is %s', (candidate, kind) => {
  const body = Buffer.from(JSON.stringify({ candidates: [candidate] }));
  const context = { apiKey, protocol: geminiProtocol, now: () => 0 };
  expect(interpretReply({ status: 200, headers: {}, body }, context)).toMatchObject({ kind });
});

it.each([
  ['iso-8859-1', 'latin1', 'café'],
  ['"utf-16le"', 'utf16le', 'café – 5 €'],
  ['nonsense', 'utf8', 'café – 5 €'],
] as const)(
  'an answer in the encoding %s, which its header names, is read',
  (named, encoding, content) => {
    const body = Buffer.from(JSON.stringify({ choices: [{ message: { content } }] }), encoding);
    const headers = { 'content-type': `application/json; charset=${named}` };
    const context = { apiKey, protocol: { completionOf: (json: unknown) => json }, now: () => 0 };
    expect(interpretReply({ status: 200, headers, body }, context)).toMatchObject({
      text: content,
    });
  },
);

it.each(['content_filter', 'content_filter: PROHIBITED_CONTENT', 'SAFETY', 'refusal', 'sensitive'])(
  'an answer that was filtered (%s) is refused',
  (reason) => {
    expect(answered({ content: 'ye' }, reason)).toEqual({
      kind: 'row_refused',
      reason: 'The provider’s content filter blocked the answer.',
      tokens: null,
    });
  },
);

it.each([
  'error',
  'abort',
  'insufficient_system_resource',
  'network_error',
  'function_call_filter: MALFORMED_FUNCTION_CALL',
])('a fault of the model (%s) counts as broken', (reason) => {
  expect(answered({ content: 'ye' }, reason)).toMatchObject({ kind: 'broken' });
});

const cutOffs = [
  'length',
  'max_tokens',
  'MAX_TOKENS',
  'model_length',
  'model_context_window_exceeded',
];
it.each(cutOffs)('an answer cut off by %s is refused', (reason) => {
  expect(answered({ content: 'ye' }, reason)).toMatchObject({
    kind: 'row_refused',
    mark: 'cut_off',
  });
});

describe('an error', () => {
  it.each<[string, unknown]>([
    ['an object', { error: { message: 'Too long' } }],
    ['a text', { error: 'Too long' }],
    ['a list', [{ error: { message: 'Too long' } }]],
    ['the body itself', { object: 'error', message: 'Too long' }],
    ['a detail', { detail: 'Too long' }],
    ['a list of details', { detail: [{ loc: ['body'], msg: 'Too long' }] }],
    ['a detail in a message', { message: { detail: [{ msg: 'Too long' }] } }],
    ['a list of errors', { success: false, errors: [{ code: 5021, message: 'Too long' }] }],
    ['passed on as JSON', passedOn('[{"error":{"message":"Too long"}}]')],
    ['passed on as words', passedOn('Too long')],
  ])('is quoted when it is %s', (_name, body) => {
    expect(interpret(400, body)).toEqual({
      kind: 'row_refused',
      reason: 'The provider refused this prompt: Too long',
    });
  });

  it('that is passed on means what its own code means, and a page says nothing', () => {
    const raw = '{"error":{"message":"4 of 3","code":"context_length_exceeded"}}';
    const reason = 'The provider refused this prompt: 4 of 3';
    expect(interpret(400, passedOn(raw))).toEqual({ kind: 'row_refused', reason });
    expect(interpret(200, passedOn(raw))).toMatchObject({ kind: 'row_refused', reason });
    expect(interpret(502, passedOn('<html>'))).toMatchObject({
      reason: 'The provider failed: Provider returned error',
    });
  });

  it('that names a time in its body, as Google does, sets the end of the wait', () => {
    const body = [{ error: { message: 'Quota', details: [{}, { retryDelay: '1.5s' }] } }];
    expect(interpret(429, body)).toMatchObject({ kind: 'try_later', retryAt: 1_500 });
  });

  it('404 names the model, or also the address when the provider names no model', () => {
    expect(reasonOf(404, 'No model x')).toBe('The provider does not know this model: No model x');
    expect(reasonOf(404, 'Resource not found')).toBe(
      'The provider knows no such model or address: Resource not found',
    );
    expect(interpret(404, '<html>')).toEqual({
      kind: 'request_refused',
      reason: 'The provider knows no such model or address.',
    });
  });

  it('without a message gets ours', () => {
    expect(interpret(500, '<html>')).toEqual({ kind: 'broken', reason: 'The provider failed.' });
  });

  it('is quoted on one line, and a long one is cut', () => {
    expect(reasonOf(500, ' a\r\n\u2028b\0\u202ec ')).toBe('The provider failed: a b c');
    expect(reasonOf(500, 'x'.repeat(300))).toBe(`The provider failed: ${'x'.repeat(199)}…`);
  });

  it.each([
    ['complete', `Incorrect key ${apiKey}, sorry`],
    ['with a NUL inside', `Incorrect key ${apiKey.slice(0, 5)}\0${apiKey.slice(5)}, sorry`],
    ['masked by the provider', 'Incorrect key sk-se****6789, sorry'],
    ['masked with dots', 'Incorrect key sk-...6789, sorry'],
    ['hashed', `Incorrect key ${'9a'.repeat(32)}, sorry`],
  ])('never shows the key: %s', (_name, message) => {
    expect(reasonOf(401, message)).toMatch(
      /^The provider does not accept the key: Incorrect key …,? sorry$/,
    );
  });

  it('reads only the start of a message of half a megabyte', () => {
    // CPU time, because other tests run at the same time. Reading all of it took minutes.
    const before = process.cpuUsage();
    expect(reasonOf(400, 'x'.repeat(500_000))).toMatch(/x…$/);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });

  it('never shows a part of the key where it is cut', () => {
    expect(reasonOf(401, 'x'.repeat(190) + apiKey)).not.toContain('sk-');
  });

  const outcomes: Record<string, [name: string, status: number, error: object][]> = {
    provider_refused: [
      ['a bad key, sent by Gemini as 400', 400, text('API key not valid. Please pass a valid one')],
      ['400 for a bad key of xAI', 400, text('Incorrect API key provided: xa…')],
      ['400 for a country', 400, text('User location is not supported')],
      ['400 of a disabled organization', 400, text('This organization has been disabled')],
      [
        '400 at a limit for a month',
        400,
        text('You have reached your specified API usage limits.'),
      ],
      ['400 without credit at Alibaba', 400, { code: 'Arrearage' }],
      ['400 at OpenAI’s limit', 400, { code: 'billing_hard_limit_reached' }],
      ['400 without a budget at LiteLLM', 400, { type: 'budget_exceeded' }],
      ['403 for a key', 403, text('Access is flagged')],
      ['412 without credit', 412, text('Account x is suspended, possibly')],
      ['429 without credit at Z.ai', 429, { code: '1113' }],
      ['429 without credit', 429, { type: 'exceeded_current_quota_error' }],
      ['429 without credit at Google', 429, text('Your prepayment credits are depleted. Please')],
      ['429 at a limit', 429, text('Your project has exceeded its monthly spending cap.')],
      ['429 with a quota type', 429, { message: '', type: 'insufficient_quota' }],
      ['429 with a quota code', 429, { message: '', code: 'insufficient_quota' }],
      ['a redirect', 307, {}],
    ],
    request_refused: [
      ['400 with words about keys', 400, text('The prompt says: API key not valid')],
      ['400 with words about credit', 400, text('Your “credit”')],
      ['400 for an option', 400, text('Unsupported value: temperature')],
      ['404 for a model', 404, { message: '', code: 'model_not_found' }],
      ['422 for a schema', 422, text('response_format is not known')],
      ['an unknown 4xx', 418, {}],
    ],
    row_refused: [
      ['400 of a limit at Anthropic', 400, text('input exceeds context limit: 3 > 2')],
      ['400 for a long prompt', 400, { code: 'context_length_exceeded' }],
      ...[
        'The input token count (9) exceeds the maximum number of tokens allowed (8).',
        'the request exceeds the available context size.',
        'The decoder prompt is longer than the maximum model length of 4096.',
        'This model’s maximum prompt length is 131072.',
        'Content policy violation',
        'Content Exists Risk',
      ].map((message): [string, number, object] => [`400: ${message}`, 400, { message }]),
      ['403 for a flagged prompt', 403, text('… and your input was flagged for “x”')],
      ['403 of xAI’s filter', 403, text('Content violates usage guidelines.')],
      ['413', 413, {}],
      [
        '429 for a prompt above the limit',
        429,
        { message: 'Request too large for x on tokens per min', code: 'rate_limit_exceeded' },
      ],
    ],
    no_capacity: [
      ['429 of the flex tier', 429, { message: '', code: 'resource_unavailable' }],
      ['498 of Groq’s flex tier', 498, { code: 'capacity_exceeded' }],
    ],
    try_later: [
      ['429 of Google', 429, text('You exceeded your current quota, please check')],
      ['429 with another code', 429, { message: '', code: 'rate_limit_exceeded' }],
      ['503', 503, {}],
    ],
    broken: [
      ['400 of Groq’s own check', 400, { code: 'json_validate_failed' }],
      ['408', 408, {}],
      ['499 of Google', 499, text('The operation was cancelled.')],
      ['an unknown 5xx', 599, {}],
      ['a status beyond 599', 999, {}],
    ],
  };
  for (const [kind, errors] of Object.entries(outcomes))
    it.each(errors)(`is ${kind}: %s`, (_name, status, error) => {
      expect(interpret(status, { error })).toMatchObject({ kind });
    });

  it('403 with a page refuses the prompt, and without one the key', () => {
    const page = interpret(403, '<html>Blocked', { 'content-type': 'text/html; charset=UTF-8' });
    expect(page).toMatchObject({
      kind: 'request_refused',
      reason: expect.stringMatching(/firewall/),
    });
    expect(interpret(403, '')).toMatchObject({ kind: 'provider_refused', mayBeRow: true });
    expect(interpret(401, '')).not.toHaveProperty('mayBeRow');
  });

  it.each([
    ['Google', 'quota exceeded', ['PerMinutePerProject', 'GenerateRequestsPerDay-FreeTier'], 8],
    ['OpenRouter', 'Rate limit exceeded: free-models-per-day. Add', [], 0],
  ])('of the quota of a day of %s waits for the next day', (_by, message, ids, hour) => {
    const details = [{ retryDelay: '9s' }, { violations: ids.map((quotaId) => ({ quotaId })) }];
    // The clock of outcomes, which is at 0, does not have the time of the day.
    const headers = { date: 'Thu, 15 Jan 2026 20:00:00 GMT' };
    expect(interpret(429, [{ error: { message, details } }], headers)).toEqual({
      kind: 'provider_refused',
      reason: `The provider’s quota for today is exhausted until 0${hour}:00 UTC: ${message}`,
      retryAt: (4 + hour) * 3_600_000,
    });
    const late = interpret(429, [{ error: { message, details } }]);
    expect(late.kind === 'provider_refused' && late.retryAt).toBeLessThanOrEqual(86_400_000);
  });

  it('of the quota of a minute waits for the named time', () => {
    const details = [{ retryDelay: '9s' }, { violations: [{ quotaId: 'TokensPerMinute' }] }];
    const said = interpret(429, { error: { message: 'quota exceeded', details } });
    expect(said).toMatchObject({ kind: 'try_later', retryAt: 9_000 });
  });

  it.each([
    ['0', 'provider_refused'],
    ['60', 'try_later'],
  ])('429 of a key with %s calls a minute, as Mistral states it, is %s', (limit, kind) => {
    const headers = { 'x-ratelimit-limit-req-minute': limit };
    expect(interpret(429, { message: 'Rate limit exceeded' }, headers)).toMatchObject({ kind });
  });
});
