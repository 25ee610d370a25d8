import { beforeEach, expect, it } from 'vitest';
import { resetStorage } from '../../harness/memory-storage.ts';
import { forgetDraftsOfOthers, rememberPage, takePage } from './return-visit.ts';
import { correctionsKey, draftKey, nextKey, storage } from './storage.ts';

beforeEach(resetStorage);

const visit = (path: string, userId: string | null = null) =>
  sessionStorage.setItem(nextKey, JSON.stringify({ path, userId }));

it('returns to a page once', () => {
  rememberPage('/history/7?search=tea');
  expect(takePage('ada')).toBe('/history/7?search=tea');
  expect(takePage('ada')).toBeNull();
});

it.each([
  'https://evil.test/',
  '//evil.test',
  '/\\evil.test',
  'javascript:alert(1)',
  '',
  'history',
])('does not lead to %j', (path) => {
  visit(path);
  expect(takePage('ada')).toBeNull();
});

it('does not show one person’s page to another', () => {
  visit('/history/7', 'ada');
  expect(takePage('bella')).toBeNull();
});

it('ignores what it did not write', () => {
  sessionStorage.setItem(nextKey, '{broken');
  expect(takePage('ada')).toBeNull();
});

it.each([draftKey, correctionsKey])('keeps %s over an ended session for its writer only', (key) => {
  const draft = JSON.stringify({ userId: 'ada', prompt: 'Praise {{name}}' });
  sessionStorage.setItem(key, draft);
  sessionStorage.setItem('other', 'x');
  storage.clear({ keepsDrafts: true });
  expect(sessionStorage.getItem('other')).toBeNull();
  forgetDraftsOfOthers('ada');
  expect(sessionStorage.getItem(key)).toBe(draft);
  forgetDraftsOfOthers('bella');
  expect(sessionStorage.getItem(key)).toBeNull();
});
