import { expect, it } from 'vitest';
import { packContents } from './packs.ts';

it('says how much a pack holds unless its name does', () => {
  expect(packContents('500 submissions', 500)).toBeNull();
  expect(packContents('10,000 submissions', 10_000)).toBeNull();
  expect(packContents('Starter', 500)).toBe('500 submissions');
});
