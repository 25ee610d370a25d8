import { expect, it } from 'vitest';
import { checkColumns } from './answer-columns.ts';

const answered = (text: string) => ({ kind: 'answered', text }) as const;

it.each([
  ['has every column', '{"mood":"glad","score":1}'],
  ['has every column in a fence', '```json\n{"mood":"glad","score":1}\n```'],
])('accepts an answer that %s', (_case, text) => {
  expect(checkColumns(answered(text), ['mood', 'score'])).toEqual(answered(text));
});

it.each([
  ['is plain text', 'glad', 'The answer is not split into columns, as was asked for.'],
  ['is unfinished', '{"mood":"gl', 'The answer is not split into columns, as was asked for.'],
  ['lacks a column', '{"mood":"glad"}', 'The answer lacks the column “score”.'],
  ['lacks all columns', '{}', 'The answer lacks the columns “mood”, “score”.'],
])('refuses an answer that %s and keeps its text', (_case, text, reason) => {
  const outcome = { kind: 'row_refused', reason, answer: text };
  expect(checkColumns(answered(text), ['mood', 'score'])).toEqual(outcome);
});

it('keeps only the beginning of a long unusable answer', () => {
  const outcome = checkColumns(answered('x'.repeat(1_000_000)), ['mood']);
  expect(outcome).toMatchObject({ answer: 'x'.repeat(2_000) });
});

it('leaves answers without columns and other outcomes alone', () => {
  expect(checkColumns(answered('glad'), [])).toEqual(answered('glad'));
  const broken = { kind: 'broken', reason: 'No answer.' } as const;
  expect(checkColumns(broken, ['mood'])).toBe(broken);
});
