import type { OrderDetails } from '../api.ts';
import { CardPayment } from './card-payment.tsx';
import { ResumeNotice } from './resume-notice.tsx';
import type { Settlement } from './settle-order.ts';
import type { Arrival } from './use-order-in-url.ts';
import type { OrderStanding } from './use-payment-state.ts';
import { useReopening } from './use-reopening.ts';
import { WaitingForProvider } from './waiting-for-provider.tsx';

interface Props {
  details: OrderDetails;
  settled: Settlement;
  arrival: Arrival;
  standing: OrderStanding;
}

/** Exactly one of: waiting for the provider, card form, pay again. */
export function UnpaidOrder({ details: { order }, settled, arrival, standing }: Props) {
  const reopening = useReopening(order.order_id, () => void standing.expect());
  const secret = reopening.payment?.client_secret;
  const canPay = order.can_resume || !!secret;
  if (standing.isExpected) {
    return <WaitingForProvider standing={standing} onPayAnew={canPay ? standing.giveUp : null} />;
  }
  if (secret) {
    return (
      <CardPayment
        order={order}
        clientSecret={secret}
        problem={settled.payment_status === 'failed' ? settled.problem : null}
        onTried={standing.expect}
      />
    );
  }
  return <ResumeNotice order={order} settled={settled} arrival={arrival} reopening={reopening} />;
}
