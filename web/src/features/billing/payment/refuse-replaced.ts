import { getOrderDetails } from '@rowmill/contract';
import { call } from '../../../lib/api/api-client.ts';
import { setQueryData } from '../../../lib/api/query.ts';
import * as texts from '../../../texts/billing.ts';

/**
 * The same may have been paid in another tab or on another device, and this tab may have missed it.
 * The page then shows the paid order instead of the card form. Not a query: without a connection
 * it would wait, and the card be charged later.
 */
export async function refuseReplaced(orderId: string): Promise<void> {
  const details = await call(getOrderDetails, { orderId });
  setQueryData(getOrderDetails, { orderId }, details);
  if (details.order.replaced_by) throw new Error(texts.paidElsewhere);
}
