import { beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { resetStorage } from '../../harness/memory-storage.ts';
import { tabNote } from './tab-note.ts';

beforeEach(resetStorage);
const note = tabNote('note', z.object({ line: z.string() }));

it('gives a saved value to the person who saved it, and to no other', () => {
  note.save('ana', { line: '7 Harbour Terrace' });
  expect(note.of('ana')).toEqual({ line: '7 Harbour Terrace' });
  expect(note.of('ben')).toBeNull();
  note.forget();
  expect(note.of('ana')).toBeNull();
});

it.each(['', '{', 'null', '[]', '{"user_id":"ana"}', '{"user_id":"ana","value":{"line":7}}'])(
  'ignores the stored text %j',
  (text) => {
    sessionStorage.setItem('note', text);
    expect(note.of('ana')).toBeNull();
  },
);
