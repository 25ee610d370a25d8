import { queryClient } from '../../../lib/api/query.ts';
import * as texts from '../../../texts/billing.ts';
import { orderQuery } from '../api.ts';

/**
 * The same may have been paid in another tab or on another device, and this tab may have missed it.
 * The page then shows the paid order instead of the card form.
 */
export async function refuseReplaced(orderId: string): Promise<void> {
  const { order } = await queryClient.fetchQuery(orderQuery(orderId));
  if (order.replaced_by) throw new Error(texts.paidElsewhere);
}
