import { expect, it } from 'vitest';
import { refused } from '../../../texts/identity.ts';
import { findPasswordProblem } from './policy.ts';

const { commonPassword, repetitivePassword, personalPassword } = refused.invalid_input;
const common = ['sunshine', 'password1'];
const personal = ['clara.quayle@laxey.test', 'Clara', 'Quayle', 'Rowmill'];

it.each([
  { name: 'accepts a long random password', password: 'wheel 7 copper pine', problem: null },
  { name: 'refuses a common password', password: 'password1', problem: commonPassword },
  {
    name: 'refuses a common password in other letter case',
    password: 'sunSHINE',
    problem: commonPassword,
  },
  { name: 'refuses one repeated character', password: 'aaaaaaaaaa', problem: repetitivePassword },
  {
    name: 'refuses two alternating characters',
    password: 'abababababab',
    problem: repetitivePassword,
  },
  { name: 'accepts three different characters', password: 'abcabcabcabc', problem: null },
  {
    name: 'refuses the email address',
    password: 'clara.quayle@laxey.test',
    problem: personalPassword,
  },
  {
    name: 'refuses a name with a few digits',
    password: 'ClaraQuayle1234',
    problem: personalPassword,
  },
  {
    name: 'refuses the product name with digits',
    password: 'rowmill2026',
    problem: personalPassword,
  },
  {
    name: 'accepts a name with five other characters',
    password: 'clara-harb9',
    problem: null,
  },
  { name: 'ignores personal words of three letters', password: 'tea cup 9', problem: null },
])('$name', ({ password, problem }) => {
  expect(findPasswordProblem(password, { common, personal: [...personal, 'Tea'] })).toBe(problem);
});
