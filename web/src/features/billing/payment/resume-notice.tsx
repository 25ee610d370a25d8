import type { OrderSummary } from '@rowmill/contract';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { formatMoney } from '../../../lib/format.ts';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PaymentBadge } from '../payment-badge.tsx';
import { paymentStates } from '../payment-states.ts';
import type { Settlement } from './settle-order.ts';
import { StepSection } from './step-section.tsx';
import type { Arrival } from './use-order-in-url.ts';
import type { Reopening } from './use-reopening.ts';

interface Props {
  order: OrderSummary;
  settled: Settlement;
  arrival: Arrival;
  reopening: Reopening;
}

/** A pending or failed payment: why, and one button to continue. */
export function ResumeNotice({ order, settled, arrival, reopening }: Props) {
  const { meaning, tone } = paymentStates[settled.payment_status];
  const sum = formatMoney(order.total_minor, order.currency);
  const isCancelled = arrival === 'cancelled' && settled.payment_status === 'pending';
  return (
    <StepSection title={<PaymentBadge state={settled.payment_status} />}>
      <Notice tone={tone}>
        {isCancelled && <p>{texts.cameBackUnpaid}</p>}
        {settled.problem && <p>{settled.problem}</p>}
        <p>{order.can_resume ? meaning : texts.tooOld}</p>
      </Notice>
      {reopening.error && <Notice tone="error">{errorMessage(reopening.error)}</Notice>}
      {order.can_resume && (
        <div>
          <Button busy={reopening.isOpening} onClick={reopening.open}>
            {settled.payment_status === 'failed' ? texts.tryAgainSum(sum) : texts.payNowSum(sum)}
          </Button>
        </div>
      )}
    </StepSection>
  );
}
