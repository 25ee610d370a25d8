import { type BillingAddress, userBillingAddress } from '@rowmill/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import type { SwitchedAs } from '../../../lib/storage.ts';
import { showToast } from '../../../lib/toasts.ts';
import { useSubmit } from '../../../lib/use-submit.ts';
import { Button } from '../../../ui/button.tsx';
import { CountryField } from '../../../ui/country-field.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { keepBillingAddress } from '../keep-account.ts';

/** Names as the server names them in a refusal, so that what is wrong is found and comes into focus. */
const prefix = 'billing_address.';

const fields = [
  ['name', 'Name', 'name'],
  ['company', 'Company', 'organization'],
  ['line1', 'Address', 'address-line1'],
  ['line2', 'Address, second line', 'address-line2'],
  ['city', 'Town', 'address-level2'],
  ['region', 'Region', 'address-level1'],
  ['postcode', 'Postcode', 'postal-code'],
] as const satisfies readonly (readonly [keyof BillingAddress, string, string])[];

/** The address of the signed-in person himself. */
export function OwnBillingSection({ address }: { address: BillingAddress }) {
  const client = useQueryClient();
  return <BillingForm title="Billing address" address={address} onSaved={(saved) => keepBillingAddress(client, saved)} />;
}

/** While an admin acts as a client the call answers for that client, so it is asked, and its answer kept, under his name. */
export function ClientBillingSection({ of }: { of: SwitchedAs }) {
  const client = useQueryClient();
  const queryKey = ['billing-address', of.user_id];
  const query = useQuery({ queryKey, queryFn: () => call(userBillingAddress, {}) });
  const title = `Billing address of ${of.first_name} ${of.last_name}`;
  return (
    <Loading query={query}>
      {({ billing_address }) => (
        <BillingForm
          title={title}
          address={billing_address}
          onSaved={(saved) => client.setQueryData(queryKey, { status: true, billing_address: saved })}
        />
      )}
    </Loading>
  );
}

interface Props {
  title: string;
  address: BillingAddress;
  onSaved: (address: BillingAddress) => void;
}

function BillingForm({ title, address, onSaved }: Props) {
  const { onSubmit, problems, error, busy } = useSubmit({
    endpoint: userBillingAddress,
    send: async (values) => {
      const answer = await call(userBillingAddress, { billing_address: addressIn(values) });
      onSaved(answer.billing_address);
      showToast('success', answer.message ?? 'The billing address is saved.');
    },
  });
  const field = (name: keyof BillingAddress) => ({
    name: prefix + name,
    defaultValue: address[name] ?? '',
    problem: problems[prefix + name],
  });
  return (
    <section className="card">
      <h2>{title}</h2>
      <form className="stack" onSubmit={onSubmit} noValidate>
        {error && <Notice tone="error">{error}</Notice>}
        <div className="address">
          {fields.map(([name, label, purpose]) => (
            <TextField key={name} label={label} autoComplete={`billing ${purpose}`} {...field(name)} />
          ))}
          <CountryField {...field('country')} />
          <TextField label="Tax number" autoComplete="off" {...field('tax_id')} />
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

function addressIn(values: Record<string, string>): BillingAddress {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name.slice(prefix.length), value]));
}
