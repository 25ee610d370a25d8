import { expect, it } from 'vitest';
import { problemsByField } from './use-form.ts';

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
