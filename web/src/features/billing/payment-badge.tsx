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
import styles from './payment-badge.module.css';
import { paymentStates } from './payment-states.ts';

const icons: Record<PaymentState, LucideIcon> = {
  pending: Clock,
  paid: CircleCheck,
  failed: CircleX,
  refunded: Undo2,
  disputed: Gavel,
  review: CircleHelp,
};

/** State with words and icon, so that colour is not the only signal. */
export function PaymentBadge({ state }: { state: PaymentState }) {
  const Icon = icons[state];
  return (
    <span className={`${styles.badge} ${styles[state] ?? ''}`}>
      <Icon aria-hidden size={18} />
      {paymentStates[state].label}
    </span>
  );
}
