import type { BillingAddress } from '@rowmill/contract';
import * as texts from '../../texts/entities.ts';
import { TextField } from '../../ui/form/text-field.tsx';
import { CountryField } from './country-field.tsx';

/** The names that the server uses in a refusal, so that problems are found and focused. */
const prefix = 'billing_address.';

const fields = [
  ['name', texts.name, 'name'],
  ['company', texts.company, 'organization'],
  ['line1', texts.address, 'address-line1'],
  ['line2', texts.addressSecondLine, 'address-line2'],
  ['city', texts.town, 'address-level2'],
  ['region', texts.region, 'address-level1'],
  ['postcode', texts.postcode, 'postal-code'],
] as const satisfies readonly (readonly [keyof BillingAddress, string, string])[];

const optional: ReadonlySet<string> = new Set(['company', 'line2', 'region', 'postcode']);

/** The address on the invoices of the person who pays, in postal order. */
export function AddressFields({ address }: { address: BillingAddress }) {
  const field = (name: keyof BillingAddress) => ({
    name: prefix + name,
    defaultValue: address[name] ?? '',
  });
  return (
    <div className="stack form-page">
      {fields.map(([name, label, purpose]) => (
        <TextField
          key={name}
          label={optional.has(name) ? texts.optional(label) : label}
          autoComplete={`billing ${purpose}`}
          {...field(name)}
        />
      ))}
      <CountryField {...field('country')} />
      <TextField label={texts.optional(texts.taxNumber)} {...field('tax_id')} />
    </div>
  );
}

/** Picks the address from the values of a form. */
export function addressIn(values: Record<string, string>): BillingAddress {
  const own = Object.entries(values).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
}
