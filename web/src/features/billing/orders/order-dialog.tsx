import type { BillingAddress } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { formatTime } from '../../../lib/format.ts';
import { formatMoney } from '../../../lib/format-money.ts';
import { orderPath, payPath } from '../../../lib/paths.ts';
import * as texts from '../../../texts/billing.ts';
import { language } from '../../../texts/language.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { type OrderDetails, orderQuery } from '../api.ts';
import styles from '../billing.module.css';
import { OrderSummary } from '../order-summary.tsx';
import { PaymentBadge } from '../payment-badge.tsx';
import { stateOf, stateOfPayment } from '../payment-states.ts';
import { InvoiceButton } from './invoice-button.tsx';

interface Props {
  orderId: string;
  onClose: () => void;
}

/** Lines, tax, address, payments and documents of one order. */
export function OrderDialog({ orderId, onClose }: Props) {
  const query = useQuery(orderQuery(orderId));
  const number = query.data?.order.number;
  return (
    <Dialog title={number ? texts.invoice(number) : texts.order} size="large" onClose={onClose}>
      <Loading query={query}>{(details) => <Details details={details} />}</Loading>
      <form method="dialog">
        <Button type="submit" variant="secondary">
          {texts.close}
        </Button>
      </form>
    </Dialog>
  );
}

function Details({ details }: { details: OrderDetails }) {
  const { order, payments, billing_address } = details;
  const state = stateOf(order);
  return (
    <div className="stack">
      <div className="spread">
        <PaymentBadge state={state} />
        <time className="muted" dateTime={order.created_at}>
          {texts.ordered(formatTime(order.created_at))}
        </time>
      </div>
      <p>{(!order.replaced_by && order.problem) || texts.paymentMeanings[state]}</p>
      {order.replaced_by && (
        <Link to={orderPath(order.replaced_by)} replace>
          {texts.seePaidOrder}
        </Link>
      )}
      <OrderSummary details={details} />
      <BilledTo address={billing_address} />
      {payments.length > 0 && <PaymentList payments={payments} problem={order.problem} />}
      <Documents details={details} />
      {order.can_resume && (
        <div>
          <ButtonLink to={payPath(order)}>
            {texts.payNowSum(formatMoney(order.total_minor, order.currency))}
          </ButtonLink>
        </div>
      )}
    </div>
  );
}

interface PaymentListProps {
  payments: OrderDetails['payments'];
  /** What is said above, about the order. */
  problem: string | null;
}

function PaymentList({ payments, problem }: PaymentListProps) {
  return (
    <div className="stack">
      <h3>{texts.payments}</h3>
      <ul className={styles.lines}>
        {payments.map((payment) => (
          <li key={payment.id}>
            <span>
              {texts.paymentBy({
                provider: texts.providers[payment.provider],
                state: texts.paymentLabels[stateOfPayment(payment)],
              })}{' '}
              <span className="muted">{texts.startedAt(formatTime(payment.created_at))}</span>
              {payment.problem && payment.problem !== problem && (
                <p className="muted">{payment.problem}</p>
              )}
            </span>
            <span>{formatMoney(payment.total_minor, payment.currency)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Documents({ details: { order, invoice_url, credit_notes } }: { details: OrderDetails }) {
  if (!invoice_url && credit_notes.length === 0) return null;
  return (
    <div className="stack">
      <h3>{texts.documents}</h3>
      <ul className={styles.lines}>
        {invoice_url && (
          <li>
            <span>{texts.invoice(order.number ?? '')}</span>
            <InvoiceButton orderId={order.order_id} number={order.number ?? ''} />
          </li>
        )}
        {credit_notes.map(({ number, issued_at, total_minor }) => (
          <li key={number}>
            <span>
              {texts.creditNoteOver({ number, sum: formatMoney(total_minor, order.currency) })}{' '}
              <span className="muted">{formatTime(issued_at)}</span>
            </span>
            <InvoiceButton orderId={order.order_id} number={number} creditNote={number} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const order = [
  'name',
  'company',
  'line1',
  'line2',
  'city',
  'region',
  'postcode',
  'country',
  'tax_id',
] as const;

function BilledTo({ address }: { address: BillingAddress }) {
  const lines = order.filter((field) => address[field]);
  if (lines.length === 0) return null;
  return (
    <div className="stack">
      <h3>{texts.billedTo}</h3>
      <address className={styles.address}>
        {lines.map((field) => (
          <span key={field}>{written(field, address[field] ?? '')}</span>
        ))}
      </address>
    </div>
  );
}

function written(field: keyof BillingAddress, text: string): string {
  if (field === 'tax_id') return texts.taxNumber(text);
  return field === 'country'
    ? (new Intl.DisplayNames(language, { type: 'region' }).of(text) ?? text)
    : text;
}
