import { expect, it } from 'vitest';
import { missingIn } from './address-rules.ts';

const full = { name: 'Clara Quayle', line1: '1 Quay', city: 'Douglas', country: 'IM' };

it.each([
  [full, []],
  [{ ...full, name: '', company: 'Quayle Ltd' }, []],
  [{ ...full, name: ' ', company: ' ' }, ['name']],
  [{ ...full, postcode: '', region: '' }, []],
  [{ ...full, line1: undefined, city: ' ' }, ['line1', 'city']],
  [{}, ['name', 'line1', 'city', 'country']],
])('finds in %o missing: %o', (address, fields) => {
  expect(Object.keys(missingIn(address))).toEqual(
    fields.map((field) => `billing_address.${field}`),
  );
});
