import type { PaymentState } from '@rowmill/contract';
import * as texts from '../../texts/billing.ts';

interface Words {
  label: string;
  /** What the state means and what comes next. */
  meaning: string;
  tone: 'success' | 'warning' | 'error' | 'info';
  canPay: boolean;
}

/** Label, meaning and next step of every payment state. */
export const paymentStates: Record<PaymentState, Words> = {
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
  review: {
    label: texts.paymentLabels.review,
    meaning: texts.paymentMeanings.review,
    tone: 'warning',
    canPay: false,
  },
};
