import { expect, it } from 'vitest';
import { getUsage } from './credits.ts';

it.each([
  ['in order', ['2026-11-29T00:00:00Z', '2026-11-30T00:00:00Z'], true],
  ['in order, one with a fraction', ['2026-11-29T00:00:00Z', '2026-11-29T00:00:00.5Z'], true],
  ['equal, written in two ways', ['2026-11-29T00:00:00.000Z', '2026-11-29T00:00:00Z'], false],
  ['not in order', ['2026-11-30T00:00:00Z', '2026-11-29T00:00:00Z'], false],
])('compares days by time: %s', (_, days, isAccepted) => {
  expect(getUsage.request.safeParse({ days }).success).toBe(isAccepted);
});
