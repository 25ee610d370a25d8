import { expect, it } from 'vitest';
import { findCommands } from './commands.ts';

const commands = [
  { label: 'Dashboard', path: '/dashboard' },
  { label: 'Submit a Batch (CSV)', path: '/ask' },
  { label: 'Processed Batches', path: '/history' },
];

it.each([
  ['', ['/dashboard', '/ask', '/history']],
  ['da', ['/dashboard']],
  ['batch', ['/ask', '/history']],
  ['batch proc', ['/history']],
  ['CSV', ['/ask']],
  ['board', []],
])('%j finds %j', (typed, paths) => {
  expect(findCommands(commands, { typed }).map(({ path }) => path)).toEqual(paths);
});

it('offers to search the lists for a typed text, below the pages', () => {
  const searches = [{ label: (text: string) => `Batches with ${text}`, path: '/history' }];
  expect(findCommands(commands, { typed: ' ', searches })).toEqual(commands);
  expect(findCommands(commands, { typed: ' dash & co ', searches })).toEqual([
    { label: 'Batches with dash & co', path: '/history?search=dash%20%26%20co' },
  ]);
});
