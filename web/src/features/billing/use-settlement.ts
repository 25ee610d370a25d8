import {
  confirmPayment,
  getAvailableCredits,
  getOrderDetails,
  getOrders,
  getPayments,
  getUserPlan,
} from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { removePaidCart } from '../../entities/cart/cart.ts';
import { balanceRequest } from '../../entities/credits/balance.ts';
import { invalidate, queryState, queryWith, setQueryData } from '../../lib/api/query.ts';
import { keepPlan } from './keep-plan.ts';
import { pauseAfter } from './pauses.ts';
import { type Settlement, settleOrder } from './settle-order.ts';

interface Options {
  orderId: string;
  userId: string;
  /** Whether somebody has just paid or come back from the provider, so that the answer is expected any moment. */
  isExpected: boolean;
}

/** What became of an order: asked for at once, and while it is expected again and again after pauses that grow. */
export function useSettlement({ orderId, userId, isExpected }: Options) {
  const [asked, setAsked] = useState(0);
  const query = useQuery({
    ...queryWith(confirmPayment, { order_id: orderId }, () => settleOrder(orderId, userId)),
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      isExpected && data?.payment_status === 'pending' && pauseAfter(dataUpdateCount - asked),
  });
  const count = queryState(confirmPayment, { order_id: orderId })?.dataUpdateCount ?? 0;
  const { data } = query;
  const standing = data?.payment_status;
  useEffect(() => {
    if (standing) invalidateOrder(orderId);
  }, [orderId, standing]);
  useEffect(() => {
    if (data?.payment_status === 'paid') keep({ orderId, userId, data });
  }, [orderId, userId, data]);
  /** After another try the pauses begin anew. */
  async function askNow(): Promise<void> {
    setAsked(count);
    await query.refetch({ cancelRefetch: false });
  }
  return { query, looks: count - asked, askNow };
}

function invalidateOrder(orderId: string): void {
  void invalidate(getOrderDetails, { orderId });
  void invalidate(getOrders);
  void invalidate(getPayments);
}

interface Kept {
  orderId: string;
  userId: string;
  data: Settlement;
}

/** Every place of this browser that knows of the purchase learns that it is done. */
function keep({ orderId, userId, data }: Kept): void {
  removePaidCart(orderId);
  if (data.type === 'plan') {
    keepPlan(orderId, data.plan);
    void invalidate(getUserPlan);
  }
  const { creditsAvailable } = data;
  setQueryData(getAvailableCredits, balanceRequest(userId), { status: true, creditsAvailable });
  void invalidate(getAvailableCredits);
}
