import { expect, it } from 'vitest';
import { outcomeOf } from './exchange.ts';

it.each([
  ['ECONNREFUSED', true],
  ['UND_ERR_CONNECT_TIMEOUT', true],
  ['ENOTFOUND', true],
  // A prompt may end the process that was to answer it.
  ['ECONNRESET', undefined],
  ['UND_ERR_SOCKET', undefined],
  ['HPE_INVALID_CONSTANT', undefined],
])('after %s, a provider is unreachable: %s', (code, isUnreachable) => {
  const outcome = outcomeOf(Object.assign(new Error(code), { code }), 1_000);
  expect(outcome).toMatchObject({ kind: 'broken' });
  expect('isUnreachable' in outcome ? outcome.isUnreachable : undefined).toBe(isUnreachable);
});

it.each([
  ['UND_ERR_SOCKET', 'it was closed before the answer was complete.'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the answer has another length than announced.'],
  ['HPE_INVALID_CONSTANT', 'the answer is not valid HTTP.'],
  // It says which rule the certificate breaks.
  ['CERT_HAS_EXPIRED', '(CERT_HAS_EXPIRED).'],
])('says in words what %s means', (code, words) => {
  const outcome = outcomeOf(Object.assign(new Error(code), { code }), 1_000);
  expect(outcome).toMatchObject({ reason: expect.stringContaining(words) });
});
