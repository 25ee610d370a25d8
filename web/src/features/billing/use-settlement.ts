import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { forgetSold } from '../../lib/cart.ts';
import { billingKeys } from './api.ts';
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
  const client = useQueryClient();
  const [asked, setAsked] = useState(0);
  const query = useQuery({
    queryKey: billingKeys.settlement(userId, orderId),
    queryFn: () => settleOrder(orderId, userId),
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      isExpected && data?.payment_status === 'pending' && pauseAfter(dataUpdateCount - asked),
  });
  const count = client.getQueryState(billingKeys.settlement(userId, orderId))?.dataUpdateCount ?? 0;
  const { data } = query;
  const standing = data?.payment_status;
  useEffect(() => {
    if (standing) tell(client, { orderId, userId });
  }, [client, orderId, userId, standing]);
  useEffect(() => {
    if (data?.payment_status === 'paid') keep(client, { orderId, userId, data });
  }, [client, orderId, userId, data]);
  /** After another try the pauses begin anew. */
  async function askNow(): Promise<void> {
    setAsked(count);
    await query.refetch({ cancelRefetch: false });
  }
  return { query, looks: count - asked, askNow };
}

function tell(client: QueryClient, { orderId, userId }: { orderId: string; userId: string }): void {
  const stale = [
    billingKeys.order(userId, orderId),
    billingKeys.orders(userId),
    billingKeys.payments(userId),
  ];
  for (const queryKey of stale) void client.invalidateQueries({ queryKey });
}

interface Kept {
  orderId: string;
  userId: string;
  data: Settlement;
}

/** Every place of this browser that knows of the purchase learns that it is done. */
function keep(client: QueryClient, { orderId, userId, data }: Kept): void {
  forgetSold(orderId);
  if (data.type === 'plan') keepPlan(orderId, data.plan);
  client.setQueryData(['credits', userId], data.creditsAvailable);
  void client.invalidateQueries({ queryKey: ['credits', userId] });
}
