import { expect, it } from 'vitest';
import { paramsOf, viewIn } from './use-list-view.ts';

it.each(['', 'search=tea', 'search=tea&start=20', 'start=20&order=o1', 'order=o1'])(
  'reads and writes “%s” alike',
  (address) => {
    expect(new URLSearchParams(paramsOf(viewIn(new URLSearchParams(address)))).toString()).toBe(
      address,
    );
  },
);

it.each([
  'start=-1',
  'start=1.5',
  'start=1e9',
  'start=x',
  'order=',
  'order=a%20b',
  `order=${'x'.repeat(201)}`,
])('takes “%s” as absent', (address) => {
  expect(viewIn(new URLSearchParams(address))).toEqual({ search: '', start: 0, order: null });
});
