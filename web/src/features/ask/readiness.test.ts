import type { Sheet } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { promptBlocker, requestBlocker } from './readiness.ts';

const sheet: Sheet = {
  id: 's1',
  name: 'products.csv',
  bytes: 100,
  columns: ['Name', 'Price'],
  rows: 3,
  blank_rows: 0,
  dialect: {
    format: 'delimited',
    encoding: 'utf-8',
    delimiter: ',',
    header: true,
    // twice: the API example shows the same fields
    worksheet: null,
    skip_rows: 0,
    header_rows: 1,
    comment: '',
    trim: false,
    quote: '"',
  },
  worksheets: [],
  is_sure: true,
  candidates: [],
  sample: [],
  report: { problems: [], total: 0 },
  created_at: '2025-01-01T00:00:00.000Z',
};
const ready = {
  sheet,
  isReplacing: false,
  prompt: 'Describe {{name}} {{tone}}.',
  variables: { tone: 'kindly' },
  optionProblems: {},
};

it('opens the prompt step once a sheet is read', () => {
  expect(promptBlocker({ sheet })).toBeNull();
});

it.each([
  ['there is no sheet', undefined, 'Choose a sheet first.'],
  ['the reading is unsure', { ...sheet, is_sure: false }, 'Confirm how to read this file first.'],
  ['the sheet is empty', { ...sheet, rows: 0 }, 'This sheet has no rows. Choose another one.'],
])('keeps the prompt step closed when %s', (_, sheet, reason) => {
  expect(promptBlocker({ sheet })).toBe(reason);
});

it('opens the later steps once everything is filled in', () => {
  expect(requestBlocker(ready)).toBeNull();
});

it.each([
  ['there is no sheet', { sheet: undefined }, 'Choose a sheet first.'],
  ['another file is chosen', { isReplacing: true }, 'Choose the other file, or keep this one.'],
  ['the prompt is blank', { prompt: ' \n' }, 'Write a prompt first.'],
  ['the variables are loading', { variables: null }, 'Your saved variables are not loaded yet.'],
  ['a variable is unknown', { variables: {} }, 'Unknown name: “tone”. Fix the prompt to continue.'],
  [
    'no column has a name',
    { optionProblems: { columns: 'Name at least one column.' } },
    'Name at least one column.',
  ],
  [
    'an option is invalid',
    { optionProblems: { limit: 'Must be a whole number.' } },
    'Fix the answer columns or the advanced settings to continue.',
  ],
])('keeps the later steps closed when %s', (_, part, reason) => {
  expect(requestBlocker({ ...ready, ...part })).toBe(reason);
});
