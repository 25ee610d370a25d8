import { expect, it } from 'vitest';
import { optionsOf, parseOptions } from './options.ts';

const none = { model: '', system: '', temperature: '', maxTokens: '', outputs: '', limit: '' };

it.each([
  ['empty fields', {}, {}],
  ['a model', { model: 'small' }, { model: 'small' }],
  ['a decimal comma', { temperature: '0,7' }, { temperature: 0.7 }],
  ['numbers with spaces', { maxTokens: ' 200 ', limit: ' 10' }, { max_tokens: 200, limit: 10 }],
  ['column names', { outputs: 'title, price ,, tone' }, { outputs: ['title', 'price', 'tone'] }],
  ['a blank text', { system: '  \n' }, {}],
])('parses %s', (_, options, query) => {
  expect(parseOptions({ ...none, ...options })).toEqual({ query, problems: {} });
});

it.each([
  ['a temperature above 2', { temperature: '2.5' }, { temperature: 'At most 2.' }],
  ['words instead of a number', { maxTokens: 'many' }, { maxTokens: 'Must be a whole number.' }],
  ['half a row', { limit: '1.5' }, { limit: 'Must be a whole number.' }],
  ['a limit of 0 rows', { limit: '0' }, { limit: 'At least 1.' }],
  [
    'a column name used twice',
    { outputs: 'title, Title' },
    { outputs: 'Each column needs its own name.' },
  ],
])('refuses %s', (_, options, problems) => {
  expect(parseOptions({ ...none, ...options }).problems).toEqual(problems);
});

it('shows the options of a batch as they are typed', () => {
  const query = { model: 'small', temperature: 0.5, max_tokens: 200, outputs: ['title', 'tone'] };
  expect(parseOptions(optionsOf({ ...query, system: null }))).toEqual({ query, problems: {} });
});
