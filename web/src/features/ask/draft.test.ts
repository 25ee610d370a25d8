import { expect, it } from 'vitest';
import { emptyDraft, parseDraft } from './draft.ts';

const written = { ...emptyDraft('u1'), sheetId: 's1', prompt: 'Describe {{Name}}.' };

it('restores the draft of the same person', () => {
  expect(parseDraft(JSON.stringify(written), 'u1')).toEqual(written);
});

it.each([
  ['nothing is stored', null],
  ['the stored text is not JSON', '{"userId":'],
  ['it was stored by an older version', JSON.stringify({ userId: 'u1', question: 'Describe.' })],
  ['it belongs to another person', JSON.stringify({ ...written, userId: 'u2' })],
])('starts with an empty draft when %s', (_, stored) => {
  expect(parseDraft(stored, 'u1')).toEqual(emptyDraft('u1'));
});
