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
  expect(findCommands(commands, typed).map(({ path }) => path)).toEqual(paths);
});
