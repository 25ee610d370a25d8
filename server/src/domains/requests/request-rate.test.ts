import { expect, it } from 'vitest';
import { callsFor, RequestRate, requestRate } from './request-rate.ts';

const { atOnce, perRefusal, perSecond, bytesPerCall } = requestRate;
const network = '192.0.2.1';

/** How many of these calls are accepted. */
const admitted = (rate: RequestRate, calls: { by: string; count: number; now: number }) =>
  Array.from({ length: calls.count }, () => rate.take(calls.by, 1, calls.now)).filter(Boolean)
    .length;

it('lets a caller make many calls at once and then some a second', () => {
  const rate = new RequestRate();
  expect(admitted(rate, { by: 'a person', count: 2 * atOnce, now: 0 })).toBe(atOnce);
  expect(admitted(rate, { by: 'another', count: 10, now: 0 })).toBe(10);
  expect(admitted(rate, { by: 'a person', count: atOnce, now: 1_000 })).toBe(perSecond);
  // A pause earns no more than what may be made at once.
  expect(admitted(rate, { by: 'a person', count: 2 * atOnce, now: 3_600_000 })).toBe(atOnce);
});

it('counts the calls of all sessions for their person, and those of unknown ones for their network', async () => {
  const rate = new RequestRate();
  for (const token of ['one', 'two']) {
    expect(await rate.admit({ token, network, bytes: 0 })).toBe(network);
    rate.remember(token, 'a person');
    expect(await rate.admit({ token, network, bytes: 0 })).toBe('a person');
  }
  expect(await rate.admit({ network, bytes: 0 })).toBe(network);
});

it.each([
  { bytes: 0, calls: 1 },
  { bytes: bytesPerCall, calls: 1 },
  { bytes: bytesPerCall + 1, calls: 2 },
])('counts a body of $bytes bytes as $calls calls', ({ bytes, calls }) => {
  expect(callsFor(bytes)).toBe(calls);
});

it('accepts a call that fits into what is left', () => {
  const rate = new RequestRate();
  expect(rate.take(network, atOnce - 10, 0)).toBe(true);
  expect(rate.take(network, 11, 0)).toBe(false);
  expect(rate.take(network, 10, 0)).toBe(true);
});

it('counts a call that was too much at once as several, and never below none', () => {
  const rate = new RequestRate();
  for (let refusal = 0; refusal < 100; refusal++) {
    rate.take('a person', 1, 0);
    rate.countRefusal('a person');
  }
  const left = atOnce - 100 * perRefusal;
  expect(admitted(rate, { by: 'a person', count: atOnce, now: 0 })).toBe(left);
  for (let refusal = 0; refusal < 100; refusal++) rate.countRefusal('a person');
  expect(admitted(rate, { by: 'a person', count: atOnce, now: 1_000 })).toBe(perSecond);
});

it('refuses what is too much after a moment', async () => {
  const rate = new RequestRate();
  while (rate.take(network, 1, performance.now() + 60_000));
  const before = performance.now();
  await expect(rate.admit({ network, bytes: 0 })).rejects.toMatchObject({
    code: 'too_many_requests',
  });
  expect(performance.now() - before).toBeGreaterThan(900);
});

it('counts the time to check a call as calls, and refuses calls that it accepted before', () => {
  const rate = new RequestRate();
  rate.take('a person', atOnce, 0);
  const busy = () => {
    const before = process.threadCpuUsage();
    while (process.threadCpuUsage(before).user < 100_000);
    return 'checked';
  };
  expect(rate.charged('a person', busy)).toBe('checked');
  expect(() => rate.charged('a person', busy)).toThrow();
  expect(rate.charged('another', busy)).toBe('checked');
  expect(admitted(rate, { by: 'a person', count: 1, now: 1_000 })).toBe(0);
});
