import { billingAddress } from '@rowmill/contract';
import { expect, it } from 'vitest';
import { listCountries } from './countries.ts';

const all = (stored?: string) => {
  const { usual, others } = listCountries(stored);
  return [...usual, ...others];
};

it('lists every country once, with a name and a code that the contract accepts', () => {
  const codes = all().map(({ code }) => code);
  expect(codes).toHaveLength(249);
  expect(new Set(codes).size).toBe(249);
  for (const { code, name } of all()) {
    expect(billingAddress.safeParse({ country: code }).success).toBe(true);
    expect(name).not.toBe(code);
  }
});

it('lists the usual countries first and the others by name', () => {
  const { usual, others } = listCountries();
  expect(usual).toEqual([
    { code: 'IM', name: 'Isle of Man' },
    { code: 'GB', name: 'United Kingdom' },
  ]);
  expect(others[0]?.name).toBe('Afghanistan');
  expect(others.at(-1)?.name).toBe('Zimbabwe');
  expect(others.findIndex(({ code }) => code === 'AX')).toBeLessThan(
    others.findIndex(({ code }) => code === 'BE'),
  );
});

it('keeps a stored country that is not in the list', () => {
  expect(all('XK').find(({ code }) => code === 'XK')?.name).toBe('Kosovo');
  expect(all('')).toHaveLength(249);
  expect(all('GB')).toHaveLength(249);
});
