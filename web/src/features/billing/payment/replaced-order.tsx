import type { OrderSummary } from '@rowmill/contract';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { removePaidCart } from '../../../entities/cart/cart.ts';
import { orderPath } from '../../../lib/paths.ts';
import * as texts from '../../../texts/billing.ts';
import { Notice } from '../../../ui/notice.tsx';
import { removePaidChoice } from '../checkout/store-plan.ts';
import { PaymentBadge } from '../payment-badge.tsx';
import { paymentStates } from '../payment-states.ts';
import { StepSection } from './step-section.tsx';

interface Props {
  order: OrderSummary;
  paidId: string;
}

/** Nothing is due: the same was paid in another order. The cart no longer leads here. */
export function ReplacedOrder({ order: { order_id }, paidId }: Props) {
  const { meaning, tone } = paymentStates.replaced;
  useEffect(() => {
    removePaidCart(order_id);
    removePaidChoice(order_id);
  }, [order_id]);
  return (
    <StepSection title={<PaymentBadge state="replaced" />}>
      <Notice tone={tone}>
        <p>{meaning}</p>
      </Notice>
      <div className="row">
        <Link to={orderPath(paidId)}>{texts.seePaidOrder}</Link>
      </div>
    </StepSection>
  );
}
