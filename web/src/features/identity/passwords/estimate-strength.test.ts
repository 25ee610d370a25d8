import { expect, it } from 'vitest';
import { estimate } from './estimate-strength.ts';

const nora = ['Nora', 'Newcomer', 'nora.newcomer@bakery.example', 'rowmill'];

it.each([
  ['password', 0, /Many people use this/],
  ['qwertyuiop', 0, /Many people use this|Keyboard patterns/],
  ['noranewcomer', 1, /your name/],
  ['newcomer1', 1, /your name|Add another word/],
  ['rowmill', 0, /name of this site/],
  ['aaaaaaaaaa', 1, /Repeats|Many people/],
] as const)('finds %s weak and gives advice', (password, most, hint) => {
  const strength = estimate(password, nora);
  expect(strength.score).toBeLessThanOrEqual(most);
  expect(strength.hint).toMatch(hint);
  expect(strength.hint).toMatch(/Add another word or two\.$/);
});

it('rates a password with the name of its owner lower than for anyone else', () => {
  expect(estimate('noranewcomer', nora).score).toBeLessThan(estimate('noranewcomer', []).score);
});

it('gives no advice on a strong password', () => {
  expect(estimate('plain straw 47 winter', nora)).toEqual({ score: 4, hint: '' });
});

it('takes the longest password that is allowed', () => {
  expect(estimate('plain straw 47 winter '.repeat(10), nora).score).toBe(4);
});
