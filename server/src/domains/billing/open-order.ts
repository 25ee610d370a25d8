import type {
  createOrder,
  ParsedRequestOf,
  stripeCreditIntent,
  stripeIntent,
} from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { makeOrder, type Wish } from './make-order.ts';

/** By wallet: the person approves on the provider's page. */
export async function openWalletOrder(
  ctx: Context,
  acting: Acting,
  request: ParsedRequestOf<typeof createOrder>,
) {
  const { type, plan, items, profile } = request;
  if (type === 'plan' && !plan)
    refuse('invalid_input', { fields: { plan: 'Please choose a plan.' } });
  if (type === 'credits' && !items)
    refuse('invalid_input', { fields: { items: 'The cart is empty.' } });
  const wish: Wish = { provider: 'wallet', profile, ...(type === 'plan' ? { plan } : { items }) };
  const { order, open } = await makeOrder(ctx, acting, wish);
  if (!open.approveUrl) refuse('not_now', isOver);
  const { id: order_id, total_minor, currency } = order;
  return { order_id, total_minor, currency, approve_url: open.approveUrl };
}

export async function openPlanIntent(
  ctx: Context,
  acting: Acting,
  { plan, profile }: ParsedRequestOf<typeof stripeIntent>,
) {
  return openCardOrder(ctx, acting, { provider: 'card', plan, profile });
}

/** The spec's field for the cart is called `plan`. */
export async function openCreditIntent(
  ctx: Context,
  acting: Acting,
  { plan, profile }: ParsedRequestOf<typeof stripeCreditIntent>,
) {
  return openCardOrder(ctx, acting, { provider: 'card', items: plan, itemsField: 'plan', profile });
}

async function openCardOrder(ctx: Context, acting: Acting, wish: Wish) {
  const { order, open } = await makeOrder(ctx, acting, wish);
  if (!open.clientSecret) refuse('not_now', isOver);
  const { id: order_id, total_minor, currency } = order;
  return { order_id, client_secret: open.clientSecret, total_minor, currency };
}

/** Of an order that was found again by its key, whose payment has ended meanwhile. */
const isOver = { message: 'This payment is over. Please go on with it from your orders.' };
