import type { OrderSummary, PaymentState, PaymentSummary } from '@rowmill/contract';

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

export const canPay = (state: PaymentState) => state === 'pending' || state === 'failed';

export const tones = {
  pending: 'warning',
  paid: 'success',
  failed: 'error',
  refunded: 'info',
  disputed: 'warning',
  replaced: 'info',
  review: 'warning',
} as const satisfies Record<OrderState, string>;
