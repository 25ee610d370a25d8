import { expect, it } from 'vitest';
import { pollDelay, waitingMessage } from './polling.ts';

it('asks at once, then less and less often, and never gives up', () => {
  const pauses = Array.from({ length: 20 }, (_, polls) => pollDelay(polls) / 1000);
  expect(pauses.slice(0, 10)).toEqual([1, 1, 2, 3, 5, 8, 13, 20, 30, 60]);
  expect(pauses.slice(10).every((pause) => pause === 60)).toBe(true);
});

it('says more the longer it takes', () => {
  expect(new Set([1, 4, 9].map(waitingMessage)).size).toBe(3);
});
