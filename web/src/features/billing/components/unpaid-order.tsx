import type { OrderDetails } from '../api.ts';
import type { Settlement } from '../settle-order.ts';
import type { Arrival } from '../use-order-in-address.ts';
import type { OrderStanding } from '../use-order-standing.ts';
import { useReopening } from '../use-reopening.ts';
import { AwaitedAnswer } from './awaited-answer.tsx';
import { CardPayment } from './card-payment.tsx';
import { ResumeNotice } from './resume-notice.tsx';

interface Props {
  details: OrderDetails;
  settled: Settlement;
  arrival: Arrival;
  standing: OrderStanding;
}

/** Waiting for the provider, asking for a card, or offering to pay what was left or failed: never two of them at once. */
export function UnpaidOrder({ details: { order }, settled, arrival, standing }: Props) {
  const reopening = useReopening(order.order_id, () => void standing.expect());
  const secret = reopening.payment?.client_secret;
  const canPay = order.can_resume || !!secret;
  if (standing.isExpected) {
    return <AwaitedAnswer standing={standing} onPayAnew={canPay ? standing.giveUp : null} />;
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
