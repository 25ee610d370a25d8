import type { OrderSummary, PaymentState, PaymentSummary } from '@rowmill/contract';
import * as texts from '../../texts/billing.ts';

interface Words {
  label: string;
  /** What the state means and what comes next. */
  meaning: string;
  tone: 'success' | 'warning' | 'error' | 'info';
  canPay: boolean;
}

/** An unpaid order is replaced once the same was paid in another one. */
export type OrderState = PaymentState | 'replaced';

export function stateOf({
  payment_status,
  replaced_by,
}: Pick<OrderSummary, 'payment_status' | 'replaced_by'>): OrderState {
  return replaced_by ? 'replaced' : payment_status;
}

/** What is left open is replaced with its order. A failed attempt stays one. */
export function stateOfPayment({
  payment_status,
  replaced_by,
}: Pick<PaymentSummary, 'payment_status' | 'replaced_by'>): OrderState {
  return payment_status === 'pending' && replaced_by ? 'replaced' : payment_status;
}

/** Label, meaning and next step of every state. */
export const paymentStates: Record<OrderState, Words> = {
  pending: {
    label: texts.paymentLabels.pending,
    meaning: texts.paymentMeanings.pending,
    tone: 'warning',
    canPay: true,
  },
  paid: {
    label: texts.paymentLabels.paid,
    meaning: texts.paymentMeanings.paid,
    tone: 'success',
    canPay: false,
  },
  failed: {
    label: texts.paymentLabels.failed,
    meaning: texts.paymentMeanings.failed,
    tone: 'error',
    canPay: true,
  },
  refunded: {
    label: texts.paymentLabels.refunded,
    meaning: texts.paymentMeanings.refunded,
    tone: 'info',
    canPay: false,
  },
  disputed: {
    label: texts.paymentLabels.disputed,
    meaning: texts.paymentMeanings.disputed,
    tone: 'warning',
    canPay: false,
  },
  replaced: {
    label: texts.paymentLabels.replaced,
    meaning: texts.paymentMeanings.replaced,
    tone: 'info',
    canPay: false,
  },
  review: {
    label: texts.paymentLabels.review,
    meaning: texts.paymentMeanings.review,
    tone: 'warning',
    canPay: false,
  },
};
