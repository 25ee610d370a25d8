import { expect, it } from 'vitest';
import * as texts from '../../texts/lib.ts';
import { errorMessage, formatWait, Refusal, refusalCode } from './refusal.ts';

it.each([
  [0.4, '1 second'],
  [1, '1 second'],
  [2, '2 seconds'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [90, '2 minutes'],
  [900, '15 minutes'],
  [5_400, '90 minutes'],
  [5_401, '2 hours'],
  [86_400, '24 hours'],
])('formats %s seconds as “%s”', (seconds, words) => {
  expect(formatWait(seconds)).toBe(words);
});

it('says why the server refused and when to try again', () => {
  const body = {
    status: false,
    code: 'too_many_requests',
    message: 'Too many tries.',
    request_id: 'r',
  } as const;
  const refusal = new Refusal(429, body, 60);
  expect(refusal.message).toBe('Too many tries. Try again in 1 minute.');
  expect(refusalCode(refusal)).toBe('too_many_requests');
  expect(refusalCode(new Error('out of reach'))).toBeNull();
});

it('says what is wrong with a request, which has no marked fields outside of forms', () => {
  const body = {
    status: false,
    message: 'Please check the marked fields.',
    request_id: 'r',
  } as const;
  const fields = {
    'query.temperature': 'Fancy does not accept a temperature.',
    'query.seed': 'Fancy does not accept a seed.',
    'query.stop': 'Fancy does not accept a seed.',
  };
  const refused = new Refusal(422, { ...body, code: 'invalid_input', fields }, null);
  expect(errorMessage(refused)).toBe(
    'Fancy does not accept a temperature. Fancy does not accept a seed.',
  );
  const failed = { ...body, message: 'It failed.', code: 'model_failed' } as const;
  const answered = new Refusal(502, { ...failed, fields: { answer: 'no JSON' } }, null);
  expect(errorMessage(answered)).toBe('It failed.');
});

it('shows the words of the app or the server, and none of the browser', () => {
  expect(errorMessage(new Error(texts.outOfReach))).toBe(texts.outOfReach);
  const misread = new TypeError("Cannot read properties of undefined (reading 'id')");
  for (const thrown of [misread, new RangeError('Invalid time value'), 'text', undefined])
    expect(errorMessage(thrown)).toBe(texts.wentWrong);
  for (const name of ['QuotaExceededError', 'SecurityError'])
    expect(errorMessage(new DOMException("Failed to execute 'setItem'.", name))).toBe(
      texts.cannotStore,
    );
  const cancelled = new DOMException(texts.uploadCancelled, 'AbortError');
  expect(errorMessage(cancelled)).toBe(texts.uploadCancelled);
});
