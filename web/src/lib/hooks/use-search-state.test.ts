import { describe, expect, it } from 'vitest';
import { identifier, listState, oneOf, readState, writeState } from './use-search-state.ts';

const schema = { ...listState, state: oneOf(['running', 'paused'], null), order: identifier };
const empty = { search: '', start: 0, state: null, order: null };
const read = (address: string) => readState(schema, new URLSearchParams(address));

describe('reading the address', () => {
  it.each([
    ['', empty],
    [
      'search=a%20b&state=running&start=40',
      { ...empty, search: 'a b', state: 'running', start: 40 },
    ],
    ['order=o1', { ...empty, order: 'o1' }],
  ])('reads ?%s', (address, state) => {
    expect(read(address)).toEqual(state);
  });

  it.each([
    'start=-1',
    'start=1.5',
    'start=1e9',
    'start=1e99',
    'start=x',
    'state=flying',
    'order=',
    'order=a%20b',
    `order=${'x'.repeat(201)}`,
  ])('counts ?%s as absent', (address) => {
    expect(read(address)).toEqual(empty);
  });

  it('cuts a search at 200 characters', () => {
    expect(read(`search=${'x'.repeat(300)}`).search).toHaveLength(200);
  });
});

describe('writing the address', () => {
  const write = (address: string, changes: Parameters<typeof writeState<typeof schema>>[2]) =>
    writeState(schema, new URLSearchParams(address), changes).toString();

  it.each([
    ['', { search: 'tea', start: 20 }, 'search=tea&start=20'],
    ['search=tea&start=20', { search: 'jam' }, 'search=jam'],
    ['start=20', { order: 'o1' }, 'start=20&order=o1'],
    ['start=20&order=o1', { order: null }, 'start=20'],
    ['view=people', { search: 'tea' }, 'view=people&search=tea'],
  ])('changes ?%s by %j to ?%s', (address, changes, expected) => {
    expect(write(address, changes)).toBe(expected);
  });

  it.each(['', 'search=tea', 'search=tea&start=20', 'start=20&order=o1', 'order=o1'])(
    'reads back what it wrote: ?%s',
    (address) => {
      expect(write('', read(address))).toBe(address);
    },
  );
});
