import { expect, it } from 'vitest';
import { countBeside } from './count-beside.ts';

it('says how much a pack holds only where its name does not', () => {
  expect(countBeside('500 submissions', 500)).toBeNull();
  expect(countBeside('10,000 submissions', 10_000)).toBeNull();
  expect(countBeside('Starter', 500)).toBe('500 submissions');
});
