import type { PaymentState } from '@rowmill/contract';

interface Words {
  label: string;
  /** What it means for the person, and what comes next. */
  meaning: string;
  tone: 'success' | 'warning' | 'error' | 'info';
  canPay: boolean;
}

/** Every state of a payment: what it is called, what it means, and whether paying can go on. */
export const paymentWords: Record<PaymentState, Words> = {
  pending: {
    label: 'Waiting for payment',
    meaning: 'This order is not paid yet. Nothing is lost: it can be paid now or later.',
    tone: 'warning',
    canPay: true,
  },
  paid: { label: 'Paid', meaning: 'This order is paid. Thank you.', tone: 'success', canPay: false },
  failed: {
    label: 'Failed',
    meaning: 'The last try to pay did not succeed, and nothing was taken. You can try again, also with another card.',
    tone: 'error',
    canPay: true,
  },
  refunded: { label: 'Refunded', meaning: 'The money of this order was given back.', tone: 'info', canPay: false },
  disputed: {
    label: 'Disputed',
    meaning: 'Somebody contests this payment with the bank. Until that is settled its submissions are held back.',
    tone: 'warning',
    canPay: false,
  },
  review: {
    label: 'In review',
    meaning: 'Something about this payment does not match. We look into it and write to you; please do not pay again.',
    tone: 'warning',
    canPay: false,
  },
};
