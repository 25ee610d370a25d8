import type { BillingAddress } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { AddressFields } from '../../../entities/billing-address/address-fields.tsx';
import { billingAddressQuery } from '../../../entities/billing-address/query.ts';
import { formatMoney } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { isActingAsSelf, readIdentity } from '../../../lib/session.ts';
import { settings } from '../../../lib/settings.ts';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { FormContext } from '../../../ui/form/form-context.ts';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import type { OpenPayment, Sale } from '../api.ts';
import { goToProvider } from '../payment/go-to-provider.ts';
import { MethodField } from './method-field.tsx';
import { paymentMethods } from './payment-methods.ts';
import { useOpenPayment } from './use-open-payment.ts';

interface Props {
  sale: Sale;
  total: { minor: number; currency: string };
  /** Why ordering is blocked. */
  obstacle?: string | null;
  /** Called before leaving for the wallet, so that the way back finds the order. */
  onOrdered: (orderId: string) => void;
}

/** Address and payment method: the last step before the order. */
export function PurchaseForm(props: Props) {
  const query = useQuery(billingAddressQuery());
  return (
    <Loading query={query}>
      {(address) => <AddressAndMethod {...props} address={address} />}
    </Loading>
  );
}

/** An error is shown beside the button, which is far below the top of the form. */
function AddressAndMethod({
  sale,
  total,
  obstacle,
  onOrdered,
  address,
}: Props & { address: BillingAddress }) {
  const methods = paymentMethods(settings().payments);
  const form = useOpenPayment({
    sale,
    onOpened: async ({ order_id, approve_url }: OpenPayment) => {
      onOrdered(order_id);
      if (approve_url) goToProvider(approve_url);
    },
  });
  const isPossible = !obstacle && methods.some(({ missing }) => missing === null);
  return (
    <FormContext value={form}>
      <form className="stack-wide" onSubmit={form.onSubmit} noValidate>
        <section className="card" aria-labelledby="address-title">
          <h2 id="address-title">{texts.billingAddress}</h2>
          <p className="muted">{texts.addressHint}</p>
          <AddressFields address={withName(address)} />
        </section>
        <section className="card" aria-labelledby="method-title">
          <h2 id="method-title">{texts.payment}</h2>
          <MethodField methods={methods} />
          <p>
            <RichText
              text={texts.acceptTerms}
              parts={{
                terms: (
                  <Link to={paths.terms} target="_blank">
                    {texts.terms}
                  </Link>
                ),
              }}
            />
          </p>
          {obstacle && <Notice tone="warning">{obstacle}</Notice>}
          {form.error && <Notice tone="error">{form.error}</Notice>}
          <div>
            <Button type="submit" disabled={!isPossible}>
              {texts.continueToPayment(formatMoney(total.minor, total.currency))}
            </Button>
          </div>
        </section>
      </form>
    </FormContext>
  );
}

/** A first address starts with the name of the person who pays for themselves. */
function withName(address: BillingAddress): BillingAddress {
  const identity = readIdentity();
  if (address.name || address.company || !identity.user || !isActingAsSelf(identity))
    return address;
  return { ...address, name: `${identity.user.first_name} ${identity.user.last_name}`.trim() };
}
