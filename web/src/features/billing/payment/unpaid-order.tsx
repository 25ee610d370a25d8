import type { OrderDetails } from '../api.ts';
import { CardPayment } from './card-payment.tsx';
import { ReplacedOrder } from './replaced-order.tsx';
import { ResumeNotice } from './resume-notice.tsx';
import type { Settlement } from './settle-order.ts';
import type { Arrival } from './use-order-in-url.ts';
import type { PaymentState } from './use-payment-state.ts';
import { useReopening } from './use-reopening.ts';
import { WaitingForProvider } from './waiting-for-provider.tsx';

interface Props {
  details: OrderDetails;
  settled: Settlement;
  arrival: Arrival;
  payment: PaymentState;
}

/** Exactly one of: waiting for the provider, replaced by another order, card form, pay again. */
export function UnpaidOrder({ details: { order }, settled, arrival, payment }: Props) {
  const reopening = useReopening(order.order_id, () => void payment.expect());
  const secret = reopening.payment?.client_secret;
  const canPay = !order.replaced_by && (order.can_resume || !!secret);
  if (payment.isExpected) {
    return (
      <WaitingForProvider payment={payment} onPayAnotherWay={canPay ? payment.giveUp : null} />
    );
  }
  if (order.replaced_by) return <ReplacedOrder order={order} paidId={order.replaced_by} />;
  if (secret) {
    return (
      <CardPayment
        order={order}
        clientSecret={secret}
        problem={settled.payment_status === 'failed' ? settled.problem : null}
        onTried={payment.expect}
      />
    );
  }
  return <ResumeNotice order={order} settled={settled} arrival={arrival} reopening={reopening} />;
}
