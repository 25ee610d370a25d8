import { expect, it } from 'vitest';
import { CallsByPerson } from './calls-by-person.ts';

it('leaves an eighth of the slots free while others were at work in the last five minutes', () => {
  let now = 0;
  const calls = new CallsByPerson(() => now);
  calls.begin('a');
  expect(calls.atMost('a', 64)).toBe(64);
  calls.begin('b');
  calls.end('b');
  expect([calls.atMost('a', 64), calls.atMost('b', 64), calls.atMost('c', 64)]).toEqual([
    56, 56, 56,
  ]);
  expect(calls.atMost('a', 7)).toBe(7);
  now = 5 * 60_000 + 1;
  calls.begin('a');
  expect(calls.atMost('a', 64)).toBe(64);
  expect([calls.of('a'), calls.of('b')]).toEqual([2, 0]);
});
