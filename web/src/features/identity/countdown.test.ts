import { expect, it } from 'vitest';
import { resendWords, secondsUntil } from './countdown.ts';

it.each([
  [30_000, 0, 30],
  [30_000, 1, 30],
  [30_000, 1000, 29],
  [30_000, 29_001, 1],
  [30_000, 30_000, 0],
  [30_000, 99_000, 0],
])('counts from %s at %s: %s', (end, now, seconds) => {
  expect(secondsUntil(end, now)).toBe(seconds);
});

it.each([
  [24, 'Send again in 24 s'],
  [1, 'Send again in 1 s'],
  [0, 'Send a new link'],
])('says with %s seconds left: %s', (seconds, words) => {
  expect(resendWords(seconds, 'Send a new link')).toBe(words);
});
