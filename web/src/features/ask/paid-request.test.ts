import { refusals } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { Refusal } from '../../lib/refusal.ts';
import { actFor, isOpen } from './paid-request.ts';

it('gives the same request the same key, and another one its own', () => {
  const first = actFor('a', null);
  expect(actFor('a', first)).toBe(first);
  expect(actFor('b', first).key).not.toBe(first.key);
});

const refused = (code: 'insufficient_credits' | 'not_now' | 'internal' | 'model_failed') =>
  new Refusal(refusals[code].status, { status: false, code, message: '', request_id: '' }, null);

it.each([
  ['a line that broke', new Error('The server cannot be reached.'), true],
  ['a server that fell', refused('internal'), true],
  ['one that is still at it', refused('not_now'), true],
  ['too few submissions', refused('insufficient_credits'), false],
  ['a model that gave nothing', refused('model_failed'), false],
])('after %s', (_, error, open) => {
  expect(isOpen(error)).toBe(open);
});
