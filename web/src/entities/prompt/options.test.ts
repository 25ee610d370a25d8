import type { Output } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { emptyColumn, noOptions as none, optionsOf, parseOptions } from './options.ts';

const tone = { ...emptyColumn, name: 'tone', type: 'choice' } as const;
const score = { ...emptyColumn, name: 'score', type: 'integer' } as const;

it.each([
  ['empty fields', {}, {}],
  ['a model', { model: 'small' }, { model: 'small' }],
  ['a decimal comma', { temperature: '0,7' }, { temperature: 0.7 }],
  ['numbers with spaces', { maxTokens: ' 200 ', limit: ' 10' }, { max_tokens: 200, limit: 10 }],
  [
    'thousands with commas',
    { maxTokens: '4,000', limit: '10,000', seed: '1,234,567' },
    { max_tokens: 4_000, limit: 10_000, seed: 1_234_567 },
  ],
  [
    'rare options',
    { topP: '0,9', stop: 'END\n\n ###', seed: '7', effort: 'low' },
    { top_p: 0.9, stop: ['END', ' ###'], seed: 7, reasoning_effort: 'low' },
  ],
  ['a typed column', { columns: [score] }, { outputs: [{ name: 'score', type: 'integer' }] }],
  [
    'a list in lines',
    { columns: [{ ...tone, options: 'warm\n\n dry, dull ' }] },
    { outputs: [{ name: 'tone', type: 'choice', options: ['warm', 'dry, dull'] }] },
  ],
  [
    'a column that was only added',
    { columns: [score, emptyColumn] },
    { outputs: [{ name: 'score', type: 'integer' }] },
  ],
  ['a blank text', { system: '  \n' }, {}],
])('parses %s', (_, options, query) => {
  expect(parseOptions({ ...none, ...options })).toEqual({ query, problems: {} });
});

it.each([
  ['a temperature above 2', { temperature: '2.5' }, { temperature: 'At most 2.' }],
  ['words instead of a number', { maxTokens: 'many' }, { maxTokens: 'Must be a whole number.' }],
  ['a top-p above 1', { topP: '1.1' }, { topP: 'At most 1.' }],
  ['five stop texts', { stop: 'a\nb\nc\nd\ne' }, { stop: 'At most 4 texts.' }],
  ['a negative seed', { seed: '-1' }, { seed: 'At least 0.' }],
  ['half a row', { limit: '1.5' }, { limit: 'Must be a whole number.' }],
  ['a limit of 0 rows', { limit: '0' }, { limit: 'At least 1.' }],
  [
    'a column name used twice',
    { columns: [score, score] },
    { columns: 'Each column needs its own name.' },
  ],
  ['columns without a name', { columns: [emptyColumn] }, { columns: 'Name at least one column.' }],
  [
    'a list without entries',
    { columns: [emptyColumn, tone] },
    { 'columns.1.options': 'List at least one option.' },
  ],
  [
    'a column with a description and no name',
    { columns: [{ ...score, name: '', description: 'How good' }] },
    { 'columns.0.name': 'Please fill this in.' },
  ],
])('refuses %s', (_, options, problems) => {
  expect(parseOptions({ ...none, ...options }).problems).toEqual(problems);
});

it('shows the options of a batch as they are typed', () => {
  const outputs: Output[] = [
    'title',
    { name: 'tone', type: 'choices', description: 'How', options: ['a', 'b'], may_be_empty: true },
  ];
  const query = {
    model: 'small',
    temperature: 0.5,
    max_tokens: 200,
    top_p: 0.9,
    stop: ['END', 'STOP '],
    seed: 7,
    reasoning_effort: 'high' as const,
    outputs,
  };
  expect(parseOptions(optionsOf({ ...query, system: null }))).toEqual({ query, problems: {} });
});
