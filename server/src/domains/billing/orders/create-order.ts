import {
  type BillingAddress,
  billingAddress,
  type ChosenPlan,
  type PaymentMethod,
  type SaleItem,
} from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import type { Handler } from '../../../core/handlers.ts';
import { invariant, refuse, refuseField, refuseFields } from '../../../core/refusal.ts';
import { lockOwner } from '../../../db/owners.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { newId } from '../../../lib/ids.ts';
import * as texts from '../../../texts/billing.ts';
import { formatSubmissions } from '../../../texts/numbers.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { findPlan, getTax, listPacks } from '../../plans/store.ts';
import { consumeRateLimit, rateLimits } from '../../requests/rate-limits.ts';
import { getBillingAddress } from '../billing-address.ts';
import { openPayment } from '../payments/open-payment.ts';
import { providerForMethod } from '../payments/providers.ts';
import { planDifferences, priceCart, taxWithin } from '../rules.ts';
import {
  getOrderByKey,
  insertOrder,
  insertOrderLines,
  type OrderLineRow,
  type OrderRow,
} from '../store/orders.ts';
import { insertPayment } from '../store/payments.ts';

/** Orders a plan or a cart by wallet. The buyer approves the payment on the provider's page. */
export const createWalletOrder: Handler<'createOrder'> = async (ctx, acting, request) => {
  const { type, plan, items, profile } = request;
  if (type === 'plan' && !plan) refuseField('plan', texts.choosePlan);
  if (type === 'credits' && !items) refuseField('items', texts.emptyCart);
  const bought = type === 'plan' ? { plan } : { items };
  const { order, open } = await createOrder(ctx, acting, { method: 'wallet', profile, ...bought });
  if (!open.approveUrl) refuse('not_now', { message: texts.paymentEnded });
  const { id: order_id, total_minor, currency } = order;
  return { order_id, total_minor, currency, approve_url: open.approveUrl };
};

export const createPlanIntent: Handler<'stripeIntent'> = async (ctx, acting, { plan, profile }) => {
  return createCardOrder(ctx, acting, { method: 'card', plan, profile });
};

/** The specification calls the field with the cart `plan`. */
export const createCreditIntent: Handler<'stripeCreditIntent'> = async (
  ctx,
  acting,
  { plan: items, profile },
) => {
  return createCardOrder(ctx, acting, { method: 'card', items, itemsField: 'plan', profile });
};

async function createCardOrder(ctx: Context, acting: ActingFor, request: OrderRequest) {
  const { order, open } = await createOrder(ctx, acting, request);
  if (!open.clientSecret) refuse('not_now', { message: texts.paymentEnded });
  const { id: order_id, total_minor, currency } = order;
  return { order_id, client_secret: open.clientSecret, total_minor, currency };
}

interface OrderRequest {
  method: PaymentMethod;
  plan?: ChosenPlan | undefined;
  items?: readonly SaleItem[];
  /** The request's name for the field with the cart, for its error messages. */
  itemsField?: string;
  profile?: Record<string, unknown> | undefined;
}

/**
 * Creates an order at our prices, and its payment at the provider. The order comes first and
 * identifies the payment: a repeated call with the same idempotency key finds both.
 */
async function createOrder(ctx: Context, acting: ActingFor, request: OrderRequest) {
  const provider = providerForMethod(ctx, request.method);
  await consumeRateLimit(ctx, rateLimits.orderPerPerson, acting.actor.id);
  const priced = request.plan ? await pricePlan(ctx, request.plan) : await priceItems(ctx, request);
  const order = await inTransaction(ctx, (ctx) =>
    storeOrder(ctx, acting, { request, priced, provider: provider.name }),
  );
  return { order, open: await openPayment(ctx, order, acting.actor) };
}

interface PricedOrder {
  planId: string | null;
  periodDays: number | null;
  description: string;
  submissions: number;
  totalMinor: number;
  currency: string;
  lines: Omit<OrderLineRow, 'order_id'>[];
}

async function pricePlan(
  ctx: Context,
  wanted: NonNullable<OrderRequest['plan']>,
): Promise<PricedOrder> {
  const plan = await findPlan(ctx.db, wanted.id);
  if (!plan) refuse('not_found', { message: texts.planGone });
  const { id, name, submissions, price_minor: totalMinor, currency, period_days } = plan;
  if (totalMinor === 0) refuse('not_now', { message: texts.freePlan(name) });
  const fields = planDifferences(wanted, plan);
  refuseFields(fields);
  const description = texts.planName(name);
  const line = {
    position: 0,
    item_id: id,
    name: description,
    quantity: 1,
    count: submissions,
    rate_minor: totalMinor,
  };
  return {
    planId: id,
    periodDays: period_days,
    description,
    submissions,
    totalMinor,
    currency,
    lines: [line],
  };
}

async function priceItems(
  ctx: Context,
  { items = [], itemsField = 'items' }: OrderRequest,
): Promise<PricedOrder> {
  const packs = await listPacks(ctx.db);
  const { lines, submissions, totalMinor, fields } = priceCart(items, packs);
  if (Object.keys(fields).length > 0) {
    const renamed = Object.entries(fields).map(([field, message]) => [
      field.replace(/^items/, itemsField),
      message,
    ]);
    refuse('invalid_input', { fields: Object.fromEntries(renamed) });
  }
  const bought = packs.filter(({ id }) => lines.some((line) => line.item_id === id));
  const [currency, ...others] = new Set(bought.map((pack) => pack.currency));
  if (!currency || others.length > 0) refuse('not_now', { message: texts.mixedCurrencies });
  return {
    planId: null,
    periodDays: null,
    description: formatSubmissions(submissions),
    submissions,
    totalMinor,
    currency,
    lines,
  };
}

async function storeOrder(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  {
    request: { method, profile },
    priced,
    provider,
  }: { request: OrderRequest; priced: PricedOrder; provider: string },
): Promise<OrderRow> {
  if (!(await lockOwner(ctx.db, subjectId))) refuse('not_found');
  const now = ctx.clock.now();
  const { description, submissions, totalMinor, currency, lines } = priced;
  const tax = await getTax(ctx.db);
  const address = addressIn(profile) ?? (await getBillingAddress(ctx, subjectId));
  const order = await insertOrder(ctx.db, {
    id: newId(now),
    user_id: subjectId,
    actor_id: actor.id,
    order_key: ctx.workKey ?? null,
    created_at: now,
    type: priced.planId ? 'plan' : 'credits',
    plan_id: priced.planId,
    period_days: priced.periodDays,
    description,
    submissions,
    currency,
    payment_method: method,
    total_minor: totalMinor,
    tax_minor: taxWithin(totalMinor, tax.basis_points),
    tax_name: tax.name,
    tax_basis_points: tax.basis_points,
    payment_status: 'pending',
    billing_address: JSON.stringify(address),
  });
  if (!order) {
    invariant(ctx.workKey, 'only an order with a key can exist already');
    return getOrderByKey(ctx.db, { userId: subjectId, orderKey: ctx.workKey });
  }
  await insertOrderLines(
    ctx.db,
    lines.map((line) => ({ ...line, order_id: order.id })),
  );
  await insertPayment(ctx.db, {
    id: newId(now),
    order_id: order.id,
    user_id: subjectId,
    provider,
    attempt: 1,
    payment_status: 'pending',
    created_at: now,
  });
  await writeAuditEntry(ctx, { actor, subjectId }, 'order_made', { order: order.id, description });
  record(ctx, 'order_made', { user_id: subjectId, actor_id: actor.id, order: order.id });
  return order;
}

/** The browser may send the address for the invoice. Other fields of the profile are ignored. */
function addressIn(profile: Record<string, unknown> | undefined): BillingAddress | null {
  const parsed = billingAddress.safeParse(profile?.billing_address ?? profile);
  return parsed.success && Object.values(parsed.data).some(Boolean) ? parsed.data : null;
}
