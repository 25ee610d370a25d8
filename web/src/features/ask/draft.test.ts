import { expect, it } from 'vitest';
import { emptyDraft, parseDraft } from './draft.ts';

const written = { ...emptyDraft('u1'), sheetId: 's1', question: 'Describe {{Name}}.' };

it.each([
  ['its own draft', JSON.stringify(written), written],
  ['nothing', null, emptyDraft('u1')],
  ['what is no JSON', '{"userId":', emptyDraft('u1')],
  ['an older form', JSON.stringify({ userId: 'u1', question: 'Describe.' }), emptyDraft('u1')],
  ['the draft of another person', JSON.stringify({ ...written, userId: 'u2' }), emptyDraft('u1')],
])('takes %s for what it is', (_, kept, draft) => {
  expect(parseDraft(kept, 'u1')).toEqual(draft);
});
