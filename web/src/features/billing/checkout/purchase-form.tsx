import { type BillingAddress, nameOf, type TaxIncluded } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { addressDraft } from '../../../entities/billing-address/address-draft.ts';
import { AddressFields, addressIn } from '../../../entities/billing-address/address-fields.tsx';
import { billingAddressQuery } from '../../../entities/billing-address/query.ts';
import { DebtNotice } from '../../../entities/credits/debt-notice.tsx';
import { formatNumber, formatTax } from '../../../lib/format.ts';
import { formatMoney } from '../../../lib/format-money.ts';
import type { Values } from '../../../lib/hooks/use-form.ts';
import { paths } from '../../../lib/paths.ts';
import { isActingAsSelf, readIdentity, useSubjectId } from '../../../lib/session.ts';
import { settings } from '../../../lib/settings.ts';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { FormContext } from '../../../ui/form/form-context.ts';
import { Notice } from '../../../ui/notice.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import { StaleWhileError } from '../../../ui/stale-while-error.tsx';
import type { OpenPayment, Sale } from '../api.ts';
import styles from '../billing.module.css';
import { goToProvider } from '../payment/go-to-provider.ts';
import { MethodField } from './method-field.tsx';
import { type PaymentOption, paymentMethods } from './payment-methods.ts';
import { useOpenPayment } from './use-open-payment.ts';

interface Props {
  sale: Sale;
  total: { minor: number; currency: string };
  tax: TaxIncluded;
  submissions: number;
  /** What is bought, above the address. */
  children: ReactNode;
  /** Beside the total, such as a better price. */
  hint?: ReactNode;
  /** Why ordering is blocked. */
  obstacle?: string | null;
  /** Called before leaving for the wallet, so that the way back finds the order. */
  onOrdered: (orderId: string) => void;
}

/** The last step before the order: what is bought, address, payment method and total. */
export function PurchaseForm(props: Props) {
  const { sale, total, obstacle, onOrdered, children } = props;
  const formId = useId();
  const userId = useSubjectId() ?? '';
  const query = useQuery(billingAddressQuery());
  const methods = paymentMethods(settings().payments);
  const form = useOpenPayment({
    sale,
    onOpened: async ({ order_id, approve_url }: OpenPayment) => {
      onOrdered(order_id);
      if (approve_url) goToProvider(approve_url);
    },
  });
  const isPossible = !obstacle && !!query.data && methods.some(({ missing }) => missing === null);
  return (
    <FormContext value={form}>
      <div className="with-side">
        <div className="stack-wide">
          <DebtNotice userId={userId} />
          {children}
          <StaleWhileError query={query}>
            {(address) => (
              <form
                id={formId}
                className="stack-wide"
                onSubmit={form.onSubmit}
                onInput={(event) => {
                  form.onInput(event);
                  const values = Object.fromEntries(new FormData(event.currentTarget)) as Values;
                  addressDraft.save(userId, addressIn(values));
                }}
                noValidate
              >
                <AddressAndMethod
                  address={addressDraft.of(userId) ?? withName(address)}
                  methods={methods}
                />
              </form>
            )}
          </StaleWhileError>
        </div>
        <aside className="card" aria-labelledby={`${formId}-total`}>
          <h2 id={`${formId}-total`}>{texts.summary}</h2>
          <Totals {...props} />
          {props.hint}
          {obstacle && <Notice tone="warning">{obstacle}</Notice>}
          {form.error && (
            <Notice tone="error" isStatic>
              {form.error}
            </Notice>
          )}
          <Button type="submit" form={formId} disabled={!isPossible}>
            {texts.continueToPayment(formatMoney(total.minor, total.currency))}
          </Button>
          <Terms />
        </aside>
      </div>
    </FormContext>
  );
}

function AddressAndMethod({
  address,
  methods,
}: {
  address: BillingAddress;
  methods: readonly PaymentOption[];
}) {
  return (
    <>
      <section className="card" aria-labelledby="address-title">
        <h2 id="address-title">{texts.billingAddress}</h2>
        <p className="muted">{texts.addressHint}</p>
        <AddressFields address={address} />
      </section>
      <section className="card" aria-labelledby="method-title">
        <h2 id="method-title">{texts.payment}</h2>
        <MethodField methods={methods} />
      </section>
    </>
  );
}

function Totals({ total, tax, submissions }: Pick<Props, 'total' | 'tax' | 'submissions'>) {
  const taxText = formatTax(tax);
  return (
    <dl className={styles.totals} aria-live="polite">
      <dt>{texts.submissions}</dt>
      <dd>{formatNumber(submissions)}</dd>
      <dt>
        {texts.total} {taxText && <span className="muted">{texts.withTax(taxText)}</span>}
      </dt>
      <dd className={styles.total}>{formatMoney(total.minor, total.currency)}</dd>
    </dl>
  );
}

function Terms() {
  return (
    <p className="muted">
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
  );
}

/** A first address starts with the name of the person who pays for themselves. */
function withName(address: BillingAddress): BillingAddress {
  const identity = readIdentity();
  if (address.name || address.company || !identity.user || !isActingAsSelf(identity))
    return address;
  return { ...address, name: nameOf(identity.user) };
}
