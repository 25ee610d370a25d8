import { refusals } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { mayHaveRun, withKey } from './idempotency.ts';
import { Refusal } from './refusal.ts';

it('gives the same request the same key and a different one a new key', () => {
  const first = withKey('a', null);
  expect(withKey('a', first)).toBe(first);
  expect(withKey('b', first).key).not.toBe(first.key);
});

const refused = (code: 'insufficient_credits' | 'not_now' | 'internal' | 'model_failed') =>
  new Refusal(refusals[code].status, { status: false, code, message: '', request_id: '' }, null);

it.each([
  ['the connection broke', new Error('The server cannot be reached.')],
  ['the server failed', refused('internal')],
  ['the server is still working on it', refused('not_now')],
])('assumes that a request may have run when %s', (_, error) => {
  expect(mayHaveRun(error)).toBe(true);
});

it.each([
  ['there are too few submissions', refused('insufficient_credits')],
  ['the model gave no answer', refused('model_failed')],
])('knows that a request has not run when %s', (_, error) => {
  expect(mayHaveRun(error)).toBe(false);
});
