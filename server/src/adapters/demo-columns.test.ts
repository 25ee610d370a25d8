import { type AnswerColumn, answerTypes, needsOptions, readAnswer } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { demoValues } from './demo-columns.ts';

const prompt = 'Is this a complaint? "The kettle broke after 3 days." ann@example.com, 2026-02-03';

it.each<[Omit<AnswerColumn, 'name'> & { name?: string }, unknown]>([
  [{ type: 'text', name: 'email' }, 'ann@example.com'],
  [{ type: 'integer' }, 3],
  [{ type: 'boolean' }, false],
  [{ type: 'choice', options: ['Shoes', 'Kettle'] }, 'Kettle'],
  [{ type: 'choice', options: ['positive', 'negative', 'neutral'] }, 'negative'],
  [{ type: 'choices', options: ['days', 'weeks', 'kettle'] }, ['days', 'kettle']],
  [{ type: 'date' }, '2026-02-03'],
])('finds %j in the prompt', (column, value) => {
  const name = column.name ?? 'v';
  expect(demoValues(prompt, [{ ...column, name }])).toEqual({ [name]: value });
});

it('stays within the range of a description', () => {
  const column = { name: 'score', type: 'integer', description: 'From 1 to 5' } as const;
  const scores = Array.from({ length: 50 }, (_, row) => demoValues(`row ${row}`, [column]).score);
  expect([...new Set(scores)].sort()).toEqual([1, 2, 3, 4, 5]);
});

it.each(['', prompt, 'x'.repeat(100_000)])('answers every type with a valid value', (prompt) => {
  const columns = answerTypes.map((type) => ({
    name: type,
    type,
    ...(needsOptions(type) ? { options: ['one', 'two'] } : {}),
  }));
  const answer = JSON.stringify(demoValues(prompt, columns));
  expect(readAnswer(answer, columns)).toEqual({ cells: expect.any(Array) });
  expect(JSON.stringify(demoValues(prompt, columns))).toBe(answer);
});
