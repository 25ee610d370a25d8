import { useState } from 'react';
import type { Arrival } from './use-order-in-url.ts';
import { useSettlement } from './use-settlement.ts';

interface Options {
  orderId: string;
  userId: string;
  arrival: Arrival;
}

export type PaymentState = ReturnType<typeof usePaymentState>;

/** Payment state of an order, and whether we wait for the provider or the person. */
export function usePaymentState({ orderId, userId, arrival }: Options) {
  const [isTried, setTried] = useState(arrival === 'returned');
  const { query, polls, askNow } = useSettlement({ orderId, userId, isExpected: isTried });
  const { payment_status, problem, is_processing } = query.data ?? {};
  return {
    query,
    polls,
    isExpected: is_processing || (isTried && payment_status === 'pending' && problem === null),
    /** The person submitted: start polling the provider. */
    async expect(): Promise<void> {
      setTried(true);
      await askNow();
    },
    /** The person chose another payment method. */
    giveUp: () => setTried(false),
  };
}
