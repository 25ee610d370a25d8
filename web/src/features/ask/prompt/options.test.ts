import { expect, it } from 'vitest';
import { emptyDraft } from '../draft.ts';
import { readOptions } from './options.ts';

const { options: none } = emptyDraft('u1');

it.each([
  ['nothing', {}, {}],
  ['a model', { model: 'small' }, { model: 'small' }],
  ['a decimal comma', { temperature: '0,7' }, { temperature: 0.7 }],
  ['numbers with spaces', { maxTokens: ' 200 ', limit: ' 10' }, { max_tokens: 200, limit: 10 }],
  [
    'names of columns',
    { outputs: 'title, price ,, tone' },
    { outputs: ['title', 'price', 'tone'] },
  ],
  ['blank text', { system: '  \n' }, {}],
])('reads %s', (_, texts, query) => {
  expect(readOptions({ ...none, ...texts })).toEqual({ query, problems: {} });
});

it.each([
  ['a temperature above 2', { temperature: '2.5' }, { temperature: 'At most 2.' }],
  ['words for a number', { maxTokens: 'many' }, { maxTokens: 'Must be a whole number.' }],
  ['half a row', { limit: '1.5' }, { limit: 'Must be a whole number.' }],
  ['no row at all', { limit: '0' }, { limit: 'At least 1.' }],
  [
    'a column twice',
    { outputs: 'title, Title' },
    { outputs: 'Each column needs a name of its own.' },
  ],
])('objects to %s', (_, texts, problems) => {
  expect(readOptions({ ...none, ...texts }).problems).toEqual(problems);
});
