import type { OrderSummary } from '@rowmill/contract';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { removePaidCart } from '../../../entities/cart/cart.ts';
import { formatMoney } from '../../../lib/format-money.ts';
import { orderPath } from '../../../lib/paths.ts';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/error-note.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { OrderDetails } from '../api.ts';
import { PaymentBadge } from '../payment-badge.tsx';
import { tones } from '../payment-states.ts';
import { CardPayment } from './card-payment.tsx';
import { waitingMessage } from './polling.ts';
import type { Settlement } from './settle-order.ts';
import { StepSection } from './step-section.tsx';
import { removePaidChoice } from './store-plan.ts';
import type { Arrival } from './use-order-in-url.ts';
import type { PaymentState } from './use-payment-state.ts';
import { type Reopening, useReopening } from './use-reopening.ts';

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
  const canPay = !settled.is_processing && !order.replaced_by && (order.can_resume || !!secret);
  if (payment.isExpected) {
    return (
      <WaitingForProvider
        payment={payment}
        problem={settled.problem}
        onPayAnotherWay={canPay ? payment.giveUp : null}
      />
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

/** Polls after which we tell people they can leave. */
const patience = 6;

interface WaitingForProviderProps {
  payment: PaymentState;
  problem: string | null;
  onPayAnotherWay: (() => void) | null;
}

function WaitingForProvider({
  payment: { query, polls, expect },
  problem,
  onPayAnotherWay,
}: WaitingForProviderProps) {
  return (
    <StepSection title={texts.beingChecked}>
      {problem && <p>{problem}</p>}
      <p role="status">{waitingMessage(polls)}</p>
      {query.isError && <p className="muted">{texts.connectionProblem}</p>}
      <div className="row">
        <Button variant="secondary" busy={query.isFetching} onClick={() => void expect()}>
          {texts.checkAgain}
        </Button>
        {onPayAnotherWay && polls >= patience && (
          <Button variant="ghost" onClick={onPayAnotherWay}>
            {texts.payAnotherWay}
          </Button>
        )}
      </div>
    </StepSection>
  );
}

interface ReplacedOrderProps {
  order: OrderSummary;
  paidId: string;
}

/** Nothing is due: the same was paid in another order. The cart no longer leads here. */
function ReplacedOrder({ order: { order_id }, paidId }: ReplacedOrderProps) {
  useEffect(() => {
    removePaidCart(order_id);
    removePaidChoice(order_id);
  }, [order_id]);
  return (
    <StepSection title={<PaymentBadge state="replaced" />}>
      <Notice tone={tones.replaced}>
        <p>{texts.paymentMeanings.replaced}</p>
      </Notice>
      <div className="row">
        <Link to={orderPath(paidId)}>{texts.seePaidOrder}</Link>
      </div>
    </StepSection>
  );
}

interface ResumeNoticeProps {
  order: OrderSummary;
  settled: Settlement;
  arrival: Arrival;
  reopening: Reopening;
}

/** A pending or failed payment: why, and one button to continue. */
function ResumeNotice({ order, settled, arrival, reopening }: ResumeNoticeProps) {
  const { payment_status: status } = settled;
  const sum = formatMoney(order.total_minor, order.currency);
  const isCancelled = arrival === 'cancelled' && status === 'pending';
  return (
    <StepSection title={<PaymentBadge state={status} />}>
      <Notice tone={tones[status]}>
        {isCancelled && <p>{texts.cameBackUnpaid}</p>}
        {settled.problem && <p>{settled.problem}</p>}
        <p>{order.can_resume ? texts.paymentMeanings[status] : texts.tooOld}</p>
      </Notice>
      <ErrorNotice error={reopening.error} />
      {order.can_resume && (
        <div>
          <Button busy={reopening.isOpening} onClick={reopening.open}>
            {status === 'failed' ? texts.tryAgainSum(sum) : texts.payNowSum(sum)}
          </Button>
        </div>
      )}
    </StepSection>
  );
}
