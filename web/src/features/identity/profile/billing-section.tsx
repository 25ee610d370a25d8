import { type BillingAddress, userBillingAddress } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { AddressFields, addressIn } from '../../../entities/billing-address/address-fields.tsx';
import {
  billingAddressQuery,
  cacheBillingAddress,
} from '../../../entities/billing-address/query.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import type { SwitchedAs } from '../../../lib/storage.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { keepBillingAddress } from '../store-account.ts';

export function OwnBillingSection({ address }: { address: BillingAddress }) {
  return (
    <BillingForm title={texts.billingAddress} address={address} onSaved={keepBillingAddress} />
  );
}

/** While acting, the call returns the client's address. */
export function ClientBillingSection({ of }: { of: SwitchedAs }) {
  const query = useQuery(billingAddressQuery());
  const title = texts.billingAddressOf(`${of.first_name} ${of.last_name}`);
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
  const { onSubmit, problems, error, busy } = useForm(async (values, send) => {
    const answer = await send(userBillingAddress, { billing_address: addressIn(values) });
    onSaved(answer.billing_address);
    showToast('success', answer.message ?? texts.billingAddressSaved);
  });
  return (
    <section className="card">
      <h2>{title}</h2>
      <form className="stack" onSubmit={onSubmit} noValidate>
        {error && <Notice tone="error">{error}</Notice>}
        <AddressFields address={address} problems={problems} />
        <div>
          <Button type="submit" busy={busy}>
            {texts.saveAddress}
          </Button>
        </div>
      </form>
    </section>
  );
}
