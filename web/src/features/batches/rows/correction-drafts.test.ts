import { beforeEach, expect, it } from 'vitest';
import { resetStorage } from '../../../../harness/memory-storage.ts';
import { correctionDrafts } from './correction-drafts.ts';

const beAt = (id: string) => localStorage.setItem('currentUser', JSON.stringify({ id }));

beforeEach(() => {
  resetStorage();
  beAt('ada');
});

it('keeps corrections by row until they are saved', () => {
  correctionDrafts.set('batch 0', { note: 'a' });
  correctionDrafts.set('batch 1', { note: 'b' });
  correctionDrafts.set('batch 0', { note: 'c' });
  correctionDrafts.delete('batch 1');
  expect(correctionDrafts.get('batch 0')).toEqual({ note: 'c' });
  expect(correctionDrafts.get('batch 1')).toBeUndefined();
});

it('shows corrections to the person who wrote them', () => {
  correctionDrafts.set('batch 0', { note: 'a' });
  beAt('bella');
  expect(correctionDrafts.get('batch 0')).toBeUndefined();
  beAt('ada');
  expect(correctionDrafts.get('batch 0')).toEqual({ note: 'a' });
});

it('forgets the oldest corrections when they are too many', () => {
  for (const row of [0, 1, 2]) correctionDrafts.set(`batch ${row}`, { note: 'x'.repeat(80_000) });
  expect(correctionDrafts.get('batch 0')).toBeUndefined();
  expect(correctionDrafts.get('batch 1')).toBeDefined();
  expect(correctionDrafts.get('batch 2')).toBeDefined();
});

it('ignores what it did not write', () => {
  sessionStorage.setItem('corrections', '{"userId":');
  expect(correctionDrafts.get('batch 0')).toBeUndefined();
});
