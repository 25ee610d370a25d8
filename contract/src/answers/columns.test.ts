import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { outputs } from './columns.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => `name ${index}`);
const choice = (options: unknown) => [{ name: 'kind', type: 'choice', options }];

it.each<[string, unknown, string]>([
  ['2,000 columns', many(2_000), 'At most 20 columns.'],
  ['10,000 options', choice(many(10_000)), 'At most 50 options.'],
  ['a name of 10 KB', ['n'.repeat(10_240)], 'At most 80 characters.'],
  ['an option of 10 KB', choice(['n'.repeat(10_240)]), 'At most 80 characters.'],
  ['an option twice', choice(['a', 'b', 'a']), 'List each option once.'],
  ['a list without options', choice([]), 'List at least one option.'],
  ['a name twice', ['a', { name: 'a', type: 'date' }], 'Each column needs its own name.'],
  [
    'an unknown type',
    [{ name: 'a', type: 'money' }],
    'Must be a name, or a column with a name and a type.',
  ],
  ['no list', { 0: 'a' }, 'Must be a list.'],
])('refuses %s with one sentence', (_name, columns, message) => {
  const { error } = z.safeParse(outputs, columns);
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});

it('takes names of every script and those of inherited properties', () => {
  const names = ['שם הלקוח', 'اسم', '名前', 'Größe 😀', '__proto__', 'constructor', 'toString'];
  expect(z.safeParse(outputs, names).data).toEqual(names);
});
