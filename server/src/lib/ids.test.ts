import { expect, it } from 'vitest';
import { isId, newId } from './ids.ts';

it('makes ids that sort by creation, also within a millisecond', () => {
  const now = new Date();
  const ids = Array.from({ length: 4_000 }, () => newId(now));
  ids.push(newId(new Date(now.getTime() + 1)));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every(isId)).toBe(true);
});
