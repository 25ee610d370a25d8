import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type OrderDetails, orderQuery } from '../api.ts';
import { paymentWords } from '../payment-words.ts';
import type { Settlement } from '../settle-order.ts';
import type { Arrival } from '../use-order-in-address.ts';
import { type OrderStanding, useOrderStanding } from '../use-order-standing.ts';
import { OrderSummary } from './order-summary.tsx';
import { PaymentBadge } from './payment-badge.tsx';
import { UnpaidOrder } from './unpaid-order.tsx';

interface Props {
  orderId: string;
  userId: string;
  arrival: Arrival;
  /** What an order leads to once it is paid. */
  paid: (settled: Settlement, details: OrderDetails) => ReactNode;
  /** The way back to before the order, as long as it is not paid. */
  change: { label: string; onChange: () => void };
}

/** An order on its way: what it holds, how its payment stands, and the next step. All of it comes from the server. */
export function OrderPayment({ orderId, userId, arrival, paid, change }: Props) {
  const order = useQuery(orderQuery(orderId));
  const standing = useOrderStanding({ orderId, userId, arrival });
  const settled = standing.query.data;
  return (
    <>
      <section className="card" aria-labelledby="order-title">
        <h2 id="order-title">{texts.yourOrder}</h2>
        {order.data ? (
          <OrderSummary details={order.data} />
        ) : (
          <Loading query={order}>{() => null}</Loading>
        )}
        {(!settled || paymentWords[settled.payment_status].canPay) && (
          <div>
            <Button variant="secondary" onClick={change.onChange}>
              {change.label}
            </Button>
          </div>
        )}
      </section>
      {/* What is known stays in sight while it is asked for again, and a form for a card must not go with a broken line. */}
      {!settled && order.data && <Loading query={standing.query}>{() => null}</Loading>}
      {settled && order.data && (
        <NextStep
          details={order.data}
          settled={settled}
          arrival={arrival}
          standing={standing}
          paid={paid}
        />
      )}
    </>
  );
}

interface NextProps extends Pick<Props, 'arrival' | 'paid'> {
  details: OrderDetails;
  settled: Settlement;
  standing: OrderStanding;
}

function NextStep({ details, settled, arrival, standing, paid }: NextProps) {
  if (settled.payment_status === 'paid') return paid(settled, details);
  if (!paymentWords[settled.payment_status].canPay) return <Closed settled={settled} />;
  return <UnpaidOrder details={details} settled={settled} arrival={arrival} standing={standing} />;
}

/** Nothing is left to do here for the person. */
function Closed({ settled: { payment_status, problem } }: { settled: Settlement }) {
  const { meaning, tone } = paymentWords[payment_status];
  return (
    <Notice tone={tone}>
      <PaymentBadge state={payment_status} />
      <p>{meaning}</p>
      {problem && <p>{problem}</p>}
    </Notice>
  );
}
