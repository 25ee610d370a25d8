import type { Sheet } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { holdsQuestion, holdsRequest } from './readiness.ts';

const sheet: Sheet = {
  id: 's1',
  name: 'products.csv',
  bytes: 100,
  columns: ['Name', 'Price'],
  rows: 3,
  blank_rows: 0,
  dialect: { encoding: 'utf-8', delimiter: ',', header: true },
  is_sure: true,
  candidates: [],
  sample: [],
  report: { problems: [], total: 0 },
  created_at: '2025-01-01T00:00:00.000Z',
};
const ready = {
  sheet,
  question: 'Describe {{name}} {{tone}}.',
  variables: { tone: 'kindly' },
  hasOptionProblems: false,
};

it.each([
  ['no sheet', { sheet: undefined }, 'Choose a sheet first.'],
  [
    'an unsure sheet',
    { sheet: { ...sheet, is_sure: false } },
    'Say first how the sheet is to be read.',
  ],
  [
    'an empty sheet',
    { sheet: { ...sheet, rows: 0 } },
    'The sheet has no rows. Choose another one.',
  ],
  ['a sheet', { sheet }, null],
])('with %s the question waits for the right reason', (_, work, reason) => {
  expect(holdsQuestion(work)).toBe(reason);
});

it.each([
  ['everything', {}, null],
  ['no sheet', { sheet: undefined }, 'Choose a sheet first.'],
  ['a blank question', { question: ' \n' }, 'Write a question first.'],
  ['variables under way', { variables: null }, 'Waiting for your kept variables.'],
  [
    'an unknown variable',
    { variables: {} },
    'Nothing is called “tone”. Correct the question first.',
  ],
  ['a wrong option', { hasOptionProblems: true }, 'Correct the options first.'],
])('with %s the request waits for the right reason', (_, part, reason) => {
  expect(holdsRequest({ ...ready, ...part })).toBe(reason);
});
