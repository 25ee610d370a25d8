import type { PaymentState } from '@rowmill/contract';
import {
  CircleCheck,
  CircleHelp,
  CircleX,
  Clock,
  Gavel,
  type LucideIcon,
  Undo2,
} from 'lucide-react';
import { paymentWords } from '../payment-words.ts';

const icons: Record<PaymentState, LucideIcon> = {
  pending: Clock,
  paid: CircleCheck,
  failed: CircleX,
  refunded: Undo2,
  disputed: Gavel,
  review: CircleHelp,
};

/** The state in words, with a picture of its own, so that its colour says nothing alone. */
export function PaymentBadge({ state }: { state: PaymentState }) {
  const Icon = icons[state];
  return (
    <span className={`shop-state ${state}`}>
      <Icon aria-hidden size={18} />
      {paymentWords[state].label}
    </span>
  );
}
