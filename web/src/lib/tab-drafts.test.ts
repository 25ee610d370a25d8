import { beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { resetStorage } from '../../harness/memory-storage.ts';
import { tabDrafts } from './tab-drafts.ts';

const drafts = tabDrafts('drafts', z.object({ note: z.string() }));
const beAt = (id: string) => localStorage.setItem('currentUser', JSON.stringify({ id }));

beforeEach(() => {
  resetStorage();
  beAt('ada');
});

it('keeps drafts by what they are for until they are deleted', () => {
  drafts.set('batch 0', { note: 'a' });
  drafts.set('batch 1', { note: 'b' });
  drafts.set('batch 0', { note: 'c' });
  drafts.delete('batch 1');
  expect(drafts.get('batch 0')).toEqual({ note: 'c' });
  expect(drafts.get('batch 1')).toBeUndefined();
});

it('shows drafts to the person who wrote them', () => {
  drafts.set('batch 0', { note: 'a' });
  beAt('bella');
  expect(drafts.get('batch 0')).toBeUndefined();
  beAt('ada');
  expect(drafts.get('batch 0')).toEqual({ note: 'a' });
});

it('keeps drafts while an admin acts for a client', () => {
  drafts.set('batch 0', { note: 'a' });
  localStorage.setItem('switchedAs', JSON.stringify({ role: 'Client', user_id: 'bella' }));
  drafts.set('batch 1', { note: 'b' });
  expect(drafts.get('batch 0')).toEqual({ note: 'a' });
  localStorage.removeItem('switchedAs');
  expect(drafts.get('batch 1')).toEqual({ note: 'b' });
});

it('keeps drafts of an ended session from what is typed before its page is left', () => {
  drafts.set('batch 0', { note: 'a' });
  localStorage.clear();
  drafts.set('batch 1', { note: 'b' });
  beAt('ada');
  expect(drafts.get('batch 0')).toEqual({ note: 'a' });
  expect(drafts.get('batch 1')).toBeUndefined();
});

it('forgets the oldest drafts when they are too large', () => {
  for (const row of [0, 1, 2]) drafts.set(`batch ${row}`, { note: 'x'.repeat(400_000) });
  expect(drafts.get('batch 0')).toBeUndefined();
  expect(drafts.get('batch 1')).toBeDefined();
  expect(drafts.get('batch 2')).toBeDefined();
});

it('ignores what it did not write', () => {
  sessionStorage.setItem('drafts', '{"userId":');
  expect(drafts.get('batch 0')).toBeUndefined();
});
