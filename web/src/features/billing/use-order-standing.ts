import { useState } from 'react';
import type { Arrival } from './use-order-in-address.ts';
import { useSettlement } from './use-settlement.ts';

interface Options {
  orderId: string;
  userId: string;
  arrival: Arrival;
}

export type OrderStanding = ReturnType<typeof useOrderStanding>;

/** How the payment of an order stands, and whether an answer of the provider is awaited or an act of the person. */
export function useOrderStanding({ orderId, userId, arrival }: Options) {
  const [isTried, setTried] = useState(arrival === 'returned');
  const { query, looks, askNow } = useSettlement({ orderId, userId, isExpected: isTried });
  return {
    query,
    looks,
    isExpected: isTried && query.data?.payment_status === 'pending' && query.data.problem === null,
    /** The person has done his part: from now on the provider is asked. */
    async expect(): Promise<void> {
      setTried(true);
      await askNow();
    },
    /** The person wants to pay anew instead of waiting. */
    giveUp: () => setTried(false),
  };
}
