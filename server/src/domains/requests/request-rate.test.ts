import { expect, it } from 'vitest';
import { RequestRate, requestRate } from './request-rate.ts';

const { atOnce, perRefusal, perSecond } = requestRate;

/** How many of these calls are let in. */
const admitted = (rate: RequestRate, calls: { token: string; count: number; now: number }) =>
  Array.from({ length: calls.count }, () => rate.take(calls.token, calls.now)).filter(Boolean)
    .length;

it('lets a person make many calls at once and then some a second, with any of their sessions', () => {
  const rate = new RequestRate();
  rate.remember('one', 'a person', 0);
  rate.remember('two', 'a person', 0);
  rate.remember('three', 'another', 0);
  expect(admitted(rate, { token: 'one', count: 2 * atOnce, now: 0 })).toBe(atOnce);
  expect(admitted(rate, { token: 'two', count: 10, now: 0 })).toBe(0);
  expect(admitted(rate, { token: 'three', count: 10, now: 0 })).toBe(10);
  expect(admitted(rate, { token: 'two', count: atOnce, now: 1_000 })).toBe(perSecond);
  // A pause earns no more than what may be made at once.
  expect(admitted(rate, { token: 'one', count: 2 * atOnce, now: 3_600_000 })).toBe(atOnce);
  // The database decides about a session that is not known yet.
  expect(admitted(rate, { token: 'unknown', count: 2 * atOnce, now: 0 })).toBe(2 * atOnce);
});

it('counts a call that was too much at once as several, and never below none', () => {
  const rate = new RequestRate();
  rate.remember('one', 'a person', 0);
  for (let refusal = 0; refusal < 100; refusal++) {
    rate.take('one', 0);
    rate.countRefusal('a person');
  }
  const left = atOnce - 100 * perRefusal;
  expect(admitted(rate, { token: 'one', count: atOnce, now: 0 })).toBe(left);
  for (let refusal = 0; refusal < 100; refusal++) rate.countRefusal('a person');
  expect(admitted(rate, { token: 'one', count: atOnce, now: 1_000 })).toBe(perSecond);
});

it('refuses what is too much after a moment', async () => {
  const rate = new RequestRate();
  rate.remember('one', 'a person');
  // In the future, so that nothing is earned until the next call, however late it comes.
  while (rate.take('one', performance.now() + 60_000));
  const before = performance.now();
  await expect(rate.admit('one')).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(performance.now() - before).toBeGreaterThan(900);
});
