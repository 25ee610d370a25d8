import {
  confirmPayment,
  getOrderDetails,
  getOrders,
  getPaymentStatus,
  getPayments,
} from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { removePaidCart } from '../../../entities/cart/cart.ts';
import { invalidate, queryOf, queryState, queryWith } from '../../../lib/api/query.ts';
import { canPay } from '../payment-states.ts';
import { cachePurchase } from './cache-purchase.ts';
import { pollDelay } from './polling.ts';
import { settleOrder } from './settle-order.ts';
import { removePaidChoice } from './store-plan.ts';

interface Options {
  orderId: string;
  userId: string;
  /** The person just paid or returned, so an answer is expected soon. */
  isExpected: boolean;
}

/** Polls an order: once, and with growing pauses while an answer is expected. */
export function useSettlement({ orderId, userId, isExpected }: Options) {
  const [asked, setAsked] = useState(0);
  const query = useQuery({
    ...queryWith(confirmPayment, { order_id: orderId }, () => settleOrder(orderId, userId)),
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      (data?.is_processing || (isExpected && data?.payment_status === 'pending')) &&
      pollDelay(dataUpdateCount - asked),
  });
  const count = queryState(confirmPayment, { order_id: orderId })?.dataUpdateCount ?? 0;
  const { data } = query;
  const status = data?.payment_status;
  const isUndecided = isExpected && (status ?? 'pending') === 'pending';
  useStoredState({
    orderId,
    isUndecided,
    onDecided: () => query.refetch({ cancelRefetch: false }),
  });
  useEffect(() => {
    if (status) invalidateOrder(orderId);
  }, [orderId, status]);
  useEffect(() => {
    // A payment in review was made too: if the cart stayed full, it would be paid again.
    if (data && !canPay(data.payment_status)) {
      removePaidCart(orderId);
      removePaidChoice(orderId);
    }
    if (data?.payment_status === 'paid') cachePurchase(userId, data);
  }, [orderId, userId, data]);
  /** A new attempt restarts the pauses. */
  async function askNow(): Promise<void> {
    setAsked(count);
    // A question on its way was sent before the attempt: its answer may be an earlier decline.
    await query.refetch();
  }
  return { query, polls: count - asked, askNow };
}

const storedPollMilliseconds = 2_000;

interface Stored {
  orderId: string;
  isUndecided: boolean;
  onDecided: () => void;
}

/** A webhook can decide a payment between two polls; the stored state is cheap to poll. */
function useStoredState({ orderId, isUndecided, onDecided }: Stored): void {
  const { data } = useQuery({
    ...queryOf(getPaymentStatus, { order_id: orderId }),
    enabled: isUndecided,
    staleTime: 0,
    refetchInterval: storedPollMilliseconds,
  });
  const isDecided = isUndecided && data !== undefined && data.payment_status !== 'pending';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each decision
  useEffect(() => {
    if (isDecided) onDecided();
  }, [isDecided]);
}

function invalidateOrder(orderId: string): void {
  void invalidate(getOrderDetails, { orderId });
  void invalidate(getOrders);
  void invalidate(getPayments);
}
