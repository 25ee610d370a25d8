import {
  type BillingAddress,
  billingAddress,
  type PaymentProvider,
  type SaleItem,
} from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { newId } from '../../lib/ids.ts';
import { invariant, refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { findPlan, getTax, listPacks } from '../plans/store.ts';
import { countTry } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { getBillingAddress } from './get-billing-address.ts';
import { openPayment } from './open-payment.ts';
import { providerFor } from './reach-provider.ts';
import { otherCurrency, priceCart, taxWithin } from './rules.ts';
import {
  getOrderByKey,
  insertOrder,
  insertOrderLines,
  type NewOrder,
  type OrderLineRow,
  type OrderRow,
} from './store/orders.ts';
import { insertPayment } from './store/payments.ts';

export interface Wish {
  provider: PaymentProvider;
  plan?:
    | { id: string; price_minor?: number | undefined; currency?: string | undefined }
    | undefined;
  items?: readonly SaleItem[] | undefined;
  /** How the request calls the field with the cart, to name what is wrong with it. */
  itemsField?: string;
  profile?: Record<string, unknown> | undefined;
}

/**
 * An order at our prices, and its payment at the provider. The order stands before the provider is asked, and names the
 * payment there; with the same idempotency key both are found again, whatever has died in between.
 */
export async function makeOrder(ctx: Context, acting: Acting, wish: Wish) {
  providerFor(ctx, wish.provider);
  await countTry(ctx, limits.orderByPerson, acting.subjectId);
  const priced = wish.plan ? await pricePlan(ctx, wish.plan) : await priceItems(ctx, wish);
  const order = await inTransaction(ctx, (inside) => keepOrder(inside, acting, { wish, priced }));
  return { order, open: await openPayment(ctx, order) };
}

interface PricedWish {
  type: 'plan' | 'credits';
  planId: string | null;
  periodDays: number | null;
  description: string;
  submissions: number;
  totalMinor: number;
  currency: string;
  lines: Omit<OrderLineRow, 'order_id'>[];
}

async function pricePlan(ctx: Context, wanted: NonNullable<Wish['plan']>): Promise<PricedWish> {
  const plan = await findPlan(ctx.db, wanted.id);
  if (!plan) refuse('not_found');
  const { id, name, submissions, price_minor: totalMinor, currency } = plan;
  if (totalMinor === 0)
    refuse('not_now', { message: `The plan ${name} is free. It needs no order.` });
  if ((wanted.price_minor ?? totalMinor) !== totalMinor)
    refuse('invalid_input', {
      fields: { 'plan.price_minor': 'The price has changed. Please look again.' },
    });
  if ((wanted.currency ?? currency) !== currency)
    refuse('invalid_input', { fields: { 'plan.currency': otherCurrency(currency) } });
  const line = {
    position: 0,
    item_id: id,
    name: `Plan ${name}`,
    quantity: 1,
    count: submissions,
    rate_minor: totalMinor,
  };
  const what = {
    type: 'plan' as const,
    planId: id,
    periodDays: plan.period_days,
    description: `Plan ${name}`,
  };
  return { ...what, submissions, totalMinor, currency, lines: [line] };
}

async function priceItems(
  ctx: Context,
  { items = [], itemsField = 'items' }: Wish,
): Promise<PricedWish> {
  const packs = await listPacks(ctx.db);
  const { lines, submissions, totalMinor, fields } = priceCart(items, packs);
  if (Object.keys(fields).length > 0) {
    const named = Object.entries(fields).map(([field, words]) => [
      field.replace(/^items/, itemsField),
      words,
    ]);
    refuse('invalid_input', { fields: Object.fromEntries(named) });
  }
  const [currency, ...others] = new Set(
    packs
      .filter(({ id }) => lines.some((line) => line.item_id === id))
      .map((pack) => pack.currency),
  );
  if (!currency || others.length > 0)
    refuse('not_now', {
      message: 'These packs are sold in different currencies. Please order them apart.',
    });
  const description = `${submissions.toLocaleString('en')} submissions`;
  return {
    type: 'credits',
    planId: null,
    periodDays: null,
    description,
    submissions,
    totalMinor,
    currency,
    lines,
  };
}

async function keepOrder(
  ctx: Context,
  { actor, subjectId }: Acting,
  { wish, priced }: { wish: Wish; priced: PricedWish },
): Promise<OrderRow> {
  const now = ctx.clock.now();
  const { provider, profile } = wish;
  const tax = await getTax(ctx.db);
  const { type, planId, periodDays, totalMinor, lines, description, submissions, currency } =
    priced;
  const values: NewOrder = {
    ...{
      id: newId(now),
      user_id: subjectId,
      actor_id: actor.id,
      order_key: ctx.idempotencyKey ?? null,
      created_at: now,
    },
    ...{
      type,
      plan_id: planId,
      period_days: periodDays,
      description,
      submissions,
      currency,
      provider,
    },
    ...{ total_minor: totalMinor, tax_minor: taxWithin(totalMinor, tax.basis_points) },
    ...{
      tax_name: tax.name,
      tax_basis_points: tax.basis_points,
      payment_status: 'pending',
      problem: null,
    },
    billing_address: JSON.stringify(
      addressIn(profile) ?? (await getBillingAddress(ctx, subjectId)),
    ),
  };
  const order = await insertOrder(ctx.db, values);
  if (!order) {
    invariant(ctx.idempotencyKey, 'only an order with a key can be there already');
    return getOrderByKey(ctx.db, { userId: subjectId, orderKey: ctx.idempotencyKey });
  }
  await insertOrderLines(
    ctx.db,
    lines.map((line) => ({ ...line, order_id: order.id })),
  );
  await insertPayment(ctx.db, firstPaymentOf(order, now));
  await writeAuditEntry(ctx, {
    actorId: actor.id,
    subjectId,
    act: 'order_made',
    detail: { order: order.id, description },
  });
  record(ctx, 'order_made', { user_id: subjectId, actor_id: actor.id, order: order.id });
  return order;
}

function firstPaymentOf(order: OrderRow, now: Date) {
  const unknown = { provider_ref: null, merchant: null, problem: null };
  const { id: order_id, user_id, provider } = order;
  return {
    ...unknown,
    id: newId(now),
    order_id,
    user_id,
    provider,
    attempt: 1,
    payment_status: 'pending' as const,
    created_at: now,
  };
}

/** The browser may send the address that goes onto the invoice along; whatever else it sends of the person is not read. */
function addressIn(profile: Record<string, unknown> | undefined): BillingAddress | null {
  const parsed = billingAddress.safeParse(profile?.billing_address ?? profile);
  return parsed.success && Object.values(parsed.data).some(Boolean) ? parsed.data : null;
}
