import {
  CircleCheck,
  CircleHelp,
  CircleSlash,
  CircleX,
  Clock,
  Gavel,
  type LucideIcon,
  Undo2,
} from 'lucide-react';
import { paymentLabels } from '../../texts/billing.ts';
import styles from './payment-badge.module.css';
import type { OrderState } from './payment-states.ts';

const icons: Record<OrderState, LucideIcon> = {
  pending: Clock,
  paid: CircleCheck,
  failed: CircleX,
  refunded: Undo2,
  disputed: Gavel,
  replaced: CircleSlash,
  review: CircleHelp,
};

/** State with words and icon, so that colour is not the only signal. */
export function PaymentBadge({ state }: { state: OrderState }) {
  const Icon = icons[state];
  return (
    <span className={`${styles.badge} ${styles[state] ?? ''}`}>
      <Icon aria-hidden size={18} />
      {paymentLabels[state]}
    </span>
  );
}
