import { expect, it } from 'vitest';
import { check } from './rules/module-state.ts';

const linesIn = (text: string, path = 'server/src/domains/a.ts') =>
  check([{ path, text }]).map(({ line }) => line);

it.each([
  'let count = 0;',
  'export let count = 0;',
  'const known = new Map<string, number>();',
  'const known = new Set() as Set<string>;',
  'const known = new WeakMap<object, string>();',
  'export const cache = new LruCache({ entries: 2 });',
  'const state = { count: 0 };\nconst next = () => state.count++;',
  'const list: number[] = [];\nexport function add(one: number) { list.push(one); }',
  'const list = [1];\nclass A { add() { list[0] = 2; } }',
  'const table = {};\nfunction drop(key) { if (key) return () => delete table[key]; }',
  'class A { static count = 0; }',
])('finds the state of a module: %s', (text) => {
  expect(linesIn(text)).toEqual([text.split('\n').length]);
});

it.each([
  'const names = new Set(["a"]);\nconst letters = /a/;',
  'const counts = new Uint8Array(3);\ncounts.fill(1);',
  'function count() { let sum = 0; const all = new Map(); all.set(1, sum++); return all; }',
  'class A { #count = 0; next() { return this.#count++; } }',
])('allows constants, local variables and fields: %s', (text) => {
  expect(linesIn(text)).toEqual([]);
});

it('allows state where the list gives a reason, and no reason without state', () => {
  expect(linesIn('let toasts = [];', 'web/src/lib/toasts.ts')).toEqual([]);
  expect(linesIn('const toasts = [];', 'web/src/lib/toasts.ts')).toEqual([1]);
});
