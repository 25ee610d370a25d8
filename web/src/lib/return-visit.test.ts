import { beforeEach, expect, it } from 'vitest';
import { resetStorage } from '../../harness/memory-storage.ts';
import { forgetDraftOfOthers, rememberPage, takePage } from './return-visit.ts';
import { draftKey, nextKey, storage } from './storage.ts';

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

it('keeps a draft over an ended session for its writer only', () => {
  const draft = JSON.stringify({ userId: 'ada', prompt: 'Praise {{name}}' });
  sessionStorage.setItem(draftKey, draft);
  sessionStorage.setItem('other', 'x');
  storage.clear({ keepsDraft: true });
  expect(sessionStorage.getItem('other')).toBeNull();
  forgetDraftOfOthers('ada');
  expect(sessionStorage.getItem(draftKey)).toBe(draft);
  forgetDraftOfOthers('bella');
  expect(sessionStorage.getItem(draftKey)).toBeNull();
});
