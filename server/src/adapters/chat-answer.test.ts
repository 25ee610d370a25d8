import { describe, expect, it } from 'vitest';
import { judgeReply } from './chat-answer.ts';

const apiKey = 'sk-secret-0123456789';
const judge = (status: number, body: unknown) =>
  judgeReply(
    {
      status,
      headers: {},
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    },
    { apiKey, now: () => 0 },
  );
const answered = (message: unknown, finish_reason: unknown = 'stop') =>
  judge(200, { choices: [{ message, finish_reason }] });
const reasonOf = (status: number, message: unknown) => {
  const outcome = judge(status, { error: { message } });
  return 'reason' in outcome ? outcome.reason : '';
};

describe('an answer', () => {
  it.each([
    ['text', { content: 'yes' }, 'yes'],
    ['text with space around', { content: ' yes\n' }, ' yes\n'],
    [
      'parts',
      {
        content: [
          { type: 'thinking', thinking: [] },
          { type: 'text', text: 'yes' },
          { type: 'text', text: '!' },
        ],
      },
      'yes!',
    ],
  ])('of %s is taken', (_what, message, text) => {
    expect(answered(message)).toEqual({ kind: 'answered', text });
  });

  it('without a reason for its end is taken', () => {
    expect(answered({ content: 'yes' }, null)).toEqual({ kind: 'answered', text: 'yes' });
  });

  it('after a byte order mark is taken', () => {
    const body = `\ufeff${JSON.stringify({ choices: [{ message: { content: 'yes' } }] })}`;
    expect(judge(200, body)).toEqual({ kind: 'answered', text: 'yes' });
  });

  it.each([
    ['nothing', { content: null }],
    ['space', { content: ' \n' }],
    ['a NUL', { content: '\0' }],
    ['a number', { content: 7 }],
    ['a call of a tool', { content: null, tool_calls: [{}] }],
  ])('of %s is empty', (_what, message) => {
    expect(answered(message)).toEqual({ kind: 'row_refused', reason: 'The answer was empty.' });
  });

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '7'],
    ['a list', []],
    ['no choices', { choices: [] }],
    ['a choice of the wrong shape', { choices: 'yes' }],
    ['no message', { choices: [{}] }],
    ['an error', { error: { message: 'Bad gateway', code: 502 } }],
    [
      'a failed choice',
      {
        choices: [
          { error: { message: 'Bad gateway' }, finish_reason: 'error', message: { content: 'ye' } },
        ],
      },
    ],
  ])('that is %s is broken', (_what, body) => {
    expect(judge(200, body)).toMatchObject({
      kind: 'broken',
      reason: expect.stringContaining('was not understood'),
    });
  });
});

describe('a failure', () => {
  it.each<[string, unknown]>([
    ['an object', { error: { message: 'Too long' } }],
    ['a text', { error: 'Too long' }],
    ['a list', [{ error: { message: 'Too long' } }]],
    ['the body itself', { object: 'error', message: 'Too long' }],
    ['a detail', { detail: 'Too long' }],
  ])('is quoted from %s', (_what, body) => {
    expect(judge(400, body)).toEqual({
      kind: 'row_refused',
      reason: 'The provider refused this question: Too long',
    });
  });

  it('without words has ours', () => {
    expect(judge(500, '<html>')).toEqual({ kind: 'broken', reason: 'The provider failed.' });
  });

  it('is quoted on one line and cut', () => {
    expect(reasonOf(500, ' a\r\n\u2028b\0\u202ec ')).toBe('The provider failed: a b c');
    expect(reasonOf(500, 'x'.repeat(300))).toBe(`The provider failed: ${'x'.repeat(199)}…`);
  });

  it.each([
    ['whole', `Incorrect key ${apiKey}, sorry`],
    [
      'with something hidden inside',
      `Incorrect key ${apiKey.slice(0, 5)}\0${apiKey.slice(5)}, sorry`,
    ],
    ['half hidden by the provider', 'Incorrect key sk-se****6789, sorry'],
  ])('never shows the key: %s', (_what, message) => {
    expect(reasonOf(401, message)).toMatch(
      /^The provider does not accept the key: Incorrect key …,? sorry$/,
    );
  });

  it('never shows a part of the key at its cut', () => {
    expect(reasonOf(401, 'x'.repeat(190) + apiKey)).not.toContain('sk-');
  });

  it.each([
    [
      400,
      { error: { message: 'API key not valid. Please pass a valid API key.' } },
      'provider_refused',
    ],
    [400, { error: { message: 'The prompt says: API key not valid' } }, 'row_refused'],
    [429, { error: { message: '', type: 'insufficient_quota' } }, 'provider_refused'],
    [429, { error: { message: '', code: 'insufficient_quota' } }, 'provider_refused'],
    [429, { error: { message: '', code: 'rate_limit_exceeded' } }, 'try_later'],
    [
      429,
      {
        error: {
          message: 'Request too large for x on tokens per min: Limit 10, Requested 20.',
          code: 'rate_limit_exceeded',
        },
      },
      'row_refused',
    ],
    [503, {}, 'try_later'],
    [307, {}, 'provider_refused'],
    [418, {}, 'row_refused'],
    [408, {}, 'broken'],
    [599, {}, 'broken'],
    [999, {}, 'broken'],
  ])('%d with %j is %s', (status, body, kind) => {
    expect(judge(status, body)).toMatchObject({ kind });
  });
});
