import { type BillingAddress, userBillingAddress } from '@rowmill/contract';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import { storage } from '../../../lib/storage.ts';
import { showToast } from '../../../lib/toasts.ts';
import { useSubmit } from '../../../lib/use-submit.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextField } from '../../../ui/text-field.tsx';

const fields = [
  ['name', 'Name'],
  ['company', 'Company'],
  ['line1', 'Address'],
  ['line2', 'Address, second line'],
  ['city', 'Town'],
  ['region', 'Region'],
  ['postcode', 'Postcode'],
  ['country', 'Country code'],
  ['tax_id', 'Tax number'],
] as const satisfies readonly (readonly [keyof BillingAddress, string])[];

export function BillingSection({ address }: { address: BillingAddress }) {
  const [refused, setRefused] = useState<Record<string, string>>({});
  const { onSubmit, error, busy } = useSubmit({
    endpoint: userBillingAddress,
    send: async (values) => {
      setRefused({});
      const billing_address = { ...values, country: values.country?.trim().toUpperCase() };
      const answer = await call(userBillingAddress, { billing_address }).catch((failure) => {
        setRefused(fieldsOf(failure));
        throw new Error(wordsFor(failure));
      });
      storage.write('billingAddress', answer.billing_address);
      showToast('success', answer.message ?? 'The billing address is saved.');
    },
  });
  return (
    <section className="card">
      <h2>Billing address</h2>
      <form className="stack" onSubmit={onSubmit} noValidate>
        {error && <Notice tone="error">{error}</Notice>}
        <div className="two">
          {fields.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              name={name}
              defaultValue={address[name] ?? ''}
              problem={refused[`billing_address.${name}`]}
            />
          ))}
        </div>
        <div>
          <Button type="submit" busy={busy}>
            Save the address
          </Button>
        </div>
      </form>
    </section>
  );
}

function fieldsOf(failure: unknown): Record<string, string> {
  return (failure as { fields?: Record<string, string> }).fields ?? {};
}
