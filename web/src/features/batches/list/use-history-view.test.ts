import { expect, it } from 'vitest';
import { paramsOf, viewIn } from './use-history-view.ts';

it.each([
  ['', { search: '', state: null, start: 0 }],
  ['search=a%20b&state=running&start=40', { search: 'a b', state: 'running', start: 40 }],
  ['state=flying&start=-3', { search: '', state: null, start: 0 }],
  ['start=1e99', { search: '', state: null, start: 0 }],
  ['start=abc', { search: '', state: null, start: 0 }],
])('reads ?%s', (text, view) => {
  expect(viewIn(new URLSearchParams(text))).toEqual(view);
});

it('writes only what is not usual', () => {
  expect(paramsOf({ search: '', state: null, start: 0 })).toEqual({});
  expect(paramsOf({ search: 'a', state: 'paused', start: 20 })).toEqual({
    search: 'a',
    state: 'paused',
    start: '20',
  });
});
