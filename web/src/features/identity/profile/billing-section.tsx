import { type BillingAddress, nameOf, userBillingAddress } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { addressDraft } from '../../../entities/billing-address/address-draft.ts';
import { AddressFields, addressIn } from '../../../entities/billing-address/address-fields.tsx';
import {
  billingAddressQuery,
  cacheBillingAddress,
} from '../../../entities/billing-address/query.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import type { SwitchedAs } from '../../../lib/storage.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { storeBillingAddress } from '../store-account.ts';

export function OwnBillingSection({ address }: { address: BillingAddress }) {
  return (
    <BillingForm title={texts.billingAddress} address={address} onSaved={storeBillingAddress} />
  );
}

/** While acting, the call returns the client's address. */
export function ClientBillingSection({ of }: { of: SwitchedAs }) {
  const query = useQuery(billingAddressQuery());
  const title = texts.billingAddressOf(nameOf(of));
  return (
    <Loading query={query}>
      {(address) => <BillingForm title={title} address={address} onSaved={cacheBillingAddress} />}
    </Loading>
  );
}

interface Props {
  title: string;
  address: BillingAddress;
  onSaved: (address: BillingAddress) => void;
}

function BillingForm({ title, address, onSaved }: Props) {
  const form = useForm(async (values, send) => {
    const answer = await send(userBillingAddress, { billing_address: addressIn(values) });
    onSaved(answer.billing_address);
    addressDraft.forget();
    return answer.message;
  });
  return (
    <section className="card">
      <h2>{title}</h2>
      <Form form={form}>
        <AddressFields address={address} />
        <div>
          <Button type="submit">{texts.saveAddress}</Button>
        </div>
      </Form>
    </section>
  );
}
