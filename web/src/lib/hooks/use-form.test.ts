import { expect, it } from 'vitest';
import { errorBesideFields, problemsByField, withoutProblem } from './use-form.ts';

const names = new Set(['email', 'features', 'address.city']);

it.each([
  ['a field', ['email', 'Enter an email address.'], 'email'],
  ['a nested field', ['address.city', 'Please fill this in.'], 'address.city'],
  ['an item of a list', ['features.2', 'Too long.'], 'features'],
] as const)('puts the problem of %s beside its field', (_, [path, message], field) => {
  expect(problemsByField([[path, message]], names)).toEqual({ [field]: message });
});

it('shows the first of several problems of a field', () => {
  const found: [string, string][] = [
    ['features.0', 'Too long.'],
    ['features.1', 'Empty.'],
  ];
  expect(problemsByField(found, names)).toEqual({ features: 'Too long.' });
});

const refused = { problems: { email: 'Enter one.', features: 'Too long.' }, error: 'Check these.' };

it.each([
  ['the problem of an edited field', 'email', { features: 'Too long.' }, 'Check these.'],
  ['that of a list whose item is edited', 'features.1', { email: 'Enter one.' }, 'Check these.'],
  ['nothing for a field without a problem', 'phone', refused.problems, 'Check these.'],
])('takes back %s', (_, name, problems, error) => {
  expect(withoutProblem(refused, name)).toEqual({ problems, error });
});

it('removes the error above the fields with the last problem, and only then', () => {
  const last = { problems: { email: 'Enter one.' }, error: 'Check these.' };
  expect(withoutProblem(last, 'email')).toEqual({ problems: {}, error: null });
  const wholeForm = { problems: {}, error: 'The email or the password is wrong.' };
  expect(withoutProblem(wholeForm, 'email')).toBe(wholeForm);
});

it.each([
  ['nothing when each problem is beside its field', { email: 'Enter one.' }, null],
  ['an error without fields', {}, 'Check these.'],
  ['the error of a field that the form lacks', { owner: 'Enter one.' }, 'Check these.'],
])('shows above the fields %s', (_, problems, error) => {
  expect(errorBesideFields(problems, names, 'Check these.')).toEqual({ problems, error });
});
