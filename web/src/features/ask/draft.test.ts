import { beforeEach, expect, it } from 'vitest';
import { resetStorage } from '../../../harness/memory-storage.ts';
import { endSession } from '../../lib/session.ts';
import {
  changeDraft,
  emptyDraft,
  readDraft,
  withEdited,
  withoutStarted,
  withReplaced,
  withUndone,
} from './draft.ts';

const written = { ...emptyDraft(), sheetId: 's1', prompt: 'Describe {{Name}}.' };

beforeEach(() => {
  resetStorage();
  endSession();
  localStorage.setItem('currentUser', JSON.stringify({ id: 'u1' }));
});

/** As after a reload of the page. */
function reopenDraft(userId: string) {
  endSession({ keepsDrafts: true });
  localStorage.setItem('currentUser', JSON.stringify({ id: 'u1' }));
  return readDraft(userId);
}

it('restores the draft of each person that it is for', () => {
  changeDraft('u1', written);
  changeDraft('u2', { prompt: 'Praise {{Name}}.' });
  expect(reopenDraft('u1')).toEqual(written);
  expect(readDraft('u2')).toEqual({ ...emptyDraft(), prompt: 'Praise {{Name}}.' });
});

const byOlder = JSON.stringify({ userId: 'u1', value: { u1: { question: 'Describe.' } } });
const byOther = JSON.stringify({ userId: 'u3', value: { u1: written } });
it.each([
  ['nothing is stored', null],
  ['the stored text is not JSON', '{"userId":'],
  ['it was stored by an older version', byOlder],
  ['it was written by another person', byOther],
])('starts with an empty draft when %s', (_, stored) => {
  if (stored !== null) sessionStorage.setItem('askDraft', stored);
  expect(readDraft('u1')).toEqual(emptyDraft());
});

const started = { questionWithVariable: written.prompt, query: { file: 's1' } };
it.each([
  ['keeps only the single question', {}, emptyDraft()],
  ['keeps another prompt', { prompt: 'Praise {{Name}}.' }, null],
  ['keeps another sheet', { sheetId: 's2' }, null],
  ['keeps the same prompt with another start', { start: { body: '{}', key: 'next' } }, null],
])('%s after a start', (_, since, left) => {
  const draft = { ...written, question: 'Why?', ...since };
  expect(withoutStarted(draft, started)).toEqual(left && { ...left, question: 'Why?' });
});

it.each([
  ['typed', { prompt: 'Praise {{Name}}.' }, { prompt: written.prompt }],
  ['typed for a question', { question: 'Why?' }, null],
  ['not changed', { prompt: written.prompt }, null],
  [
    'for another sheet',
    { prompt: written.prompt, sheetId: 's2' },
    { prompt: written.prompt, sheetId: 's1' },
  ],
])('brings back what a person has %s', (_, part, replaced) => {
  expect(withReplaced(written, part)).toEqual({ ...part, replaced });
});

const again = { sheetId: 's2', prompt: 'Describe it.', options: written.options, start: null };
const rerun = { ...written, ...withReplaced(written, again) };

it('brings back a draft that another one took the place of, once that is started', () => {
  const edited = { ...rerun, ...withEdited(rerun, { prompt: 'Describe {{Name}} again.' }) };
  const ran = { questionWithVariable: edited.prompt, query: { file: 's2' } };
  expect({ ...edited, ...withoutStarted(edited, ran) }).toEqual(written);
});

const praise = { prompt: 'Praise {{Name}}.' };
const praised = { ...written, ...withReplaced(written, praise) };

it.each([
  ['a second click on the same earlier prompt', praise],
  ['a second earlier prompt', { prompt: 'Price {{Name}}.' }],
  ['an earlier question', { question: 'Why?' }],
])('brings it back also after %s', (_, part) => {
  expect(withReplaced(praised, part)).toEqual({ ...part, replaced: { prompt: written.prompt } });
});

it.each([
  ['ends with typing over it', { prompt: 'Praise {{Name}}!' }, null],
  ['stays while something else is typed', { question: 'Why?' }, { prompt: written.prompt }],
])('the undoing of an earlier prompt %s', (_, part, replaced) => {
  expect({ ...praised, ...withEdited(praised, part) }).toEqual({ ...praised, ...part, replaced });
});

it.each([
  ['an edited prompt', { prompt: 'Describe {{Name}} again.' }],
  ['edited options', { options: { ...written.options, model: 'large' } }],
])('brings back %s after undoing what took the place of a draft', (_, part) => {
  const edited = { ...rerun, ...withEdited(rerun, part) };
  const undone = { ...edited, ...withUndone(edited) };
  expect(undone).toMatchObject({ sheetId: 's1', prompt: written.prompt });
  expect({ ...undone, ...withUndone(undone) }).toMatchObject({ ...again, ...part, replaced: null });
});

it('applies two changes in one event', () => {
  changeDraft('u1', { prompt: 'Describe' });
  changeDraft('u1', ({ prompt }) => ({ prompt: `${prompt} {{Name}}.`, sheetId: 's1' }));
  expect(readDraft('u1')).toEqual(written);
  expect(reopenDraft('u1')).toEqual(written);
});

it('changes the draft of a client that the page was left for, and no other', () => {
  changeDraft('u1', written);
  changeDraft('u2', written);
  changeDraft('u1', (draft) => withoutStarted(draft, started));
  expect(readDraft('u1')).toEqual(emptyDraft());
  expect(readDraft('u2')).toEqual(written);
});

it('changes nothing for a person who has left', () => {
  changeDraft('u2', written);
  endSession();
  changeDraft('u2', (draft) => withoutStarted(draft, started));
  expect(sessionStorage.getItem('askDraft')).toBeNull();
});
