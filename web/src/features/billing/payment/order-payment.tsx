import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type OrderDetails, orderQuery } from '../api.ts';
import { OrderSummary } from '../order-summary.tsx';
import { PaymentBadge } from '../payment-badge.tsx';
import { canPay, tones } from '../payment-states.ts';
import type { Settlement } from './settle-order.ts';
import { UnpaidOrder } from './unpaid-order.tsx';
import type { Arrival } from './use-order-in-url.ts';
import { type PaymentState, usePaymentState } from './use-payment-state.ts';

interface Props {
  orderId: string;
  userId: string;
  arrival: Arrival;
  /** Shown once the order is paid. */
  paid: (settled: Settlement, details: OrderDetails) => ReactNode;
  /** Leaves the order while it is unpaid. */
  change: { label: string; onChange: () => void };
}

/** An order in progress: contents, payment state and next step, all from the server. */
export function OrderPayment({ orderId, userId, arrival, paid, change }: Props) {
  const order = useQuery(orderQuery(orderId));
  const payment = usePaymentState({ orderId, userId, arrival });
  const settled = payment.query.data;
  const isUnpaid =
    (!settled || (canPay(settled.payment_status) && !settled.is_processing)) &&
    !order.data?.order.replaced_by;
  return (
    <div className="with-side">
      <div className="stack-wide">
        {/* Known data and the card form stay while the connection is broken. */}
        {settled && order.data ? (
          <NextStep
            details={order.data}
            settled={settled}
            arrival={arrival}
            payment={payment}
            paid={paid}
          />
        ) : (
          !order.isError && (
            <section className="card">
              <Loading<unknown> query={settled ? order : payment.query}>{() => null}</Loading>
            </section>
          )
        )}
      </div>
      <aside className="card" aria-labelledby="order-title">
        <h2 id="order-title">{texts.yourOrder}</h2>
        {order.data ? (
          <OrderSummary details={order.data} />
        ) : (
          <Loading query={order}>{() => null}</Loading>
        )}
        {isUnpaid && (
          <div>
            <Button variant="secondary" onClick={change.onChange}>
              {change.label}
            </Button>
          </div>
        )}
      </aside>
    </div>
  );
}

interface NextProps extends Pick<Props, 'arrival' | 'paid'> {
  details: OrderDetails;
  settled: Settlement;
  payment: PaymentState;
}

function NextStep({ details, settled, arrival, payment, paid }: NextProps) {
  if (settled.payment_status === 'paid') return paid(settled, details);
  if (!canPay(settled.payment_status)) return <Closed settled={settled} />;
  return <UnpaidOrder details={details} settled={settled} arrival={arrival} payment={payment} />;
}

/** Nothing left to do. */
function Closed({ settled: { payment_status, problem } }: { settled: Settlement }) {
  return (
    <Notice tone={tones[payment_status]}>
      <PaymentBadge state={payment_status} />
      <p>{texts.paymentMeanings[payment_status]}</p>
      {/* In review, the meaning says it all. */}
      {problem && payment_status !== 'review' && <p>{problem}</p>}
    </Notice>
  );
}
