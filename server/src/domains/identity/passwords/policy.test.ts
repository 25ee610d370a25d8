import { expect, it } from 'vitest';
import { refused } from '../../../texts/identity.ts';
import { findPasswordProblem } from './policy.ts';

const { commonPassword, repetitivePassword, personalPassword } = refused.invalid_input;
const common = ['sunshine', 'password1'];
const personal = ['clara.quayle@laxey.test', 'Clara', 'Quayle', 'Rowmill'];

it.each([
  ['accepts a long random password', 'wheel 7 copper pine', null],
  ['refuses a common password', 'password1', commonPassword],
  ['refuses a common password in other letter case', 'sunSHINE', commonPassword],
  ['refuses one repeated character', 'aaaaaaaaaa', repetitivePassword],
  ['refuses two alternating characters', 'abababababab', repetitivePassword],
  ['accepts three different characters', 'abcabcabcabc', null],
  ['refuses the email address', 'clara.quayle@laxey.test', personalPassword],
  ['refuses a name with a few digits', 'ClaraQuayle1234', personalPassword],
  ['refuses the product name with digits', 'rowmill2026', personalPassword],
  ['accepts a name with five other characters', 'clara-harb9', null],
  ['ignores personal words of three letters', 'tea cup 9', null],
])('%s', (_, password, problem) => {
  expect(findPasswordProblem(password, { common, personal: [...personal, 'Tea'] })).toBe(problem);
});
