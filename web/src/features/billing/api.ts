import {
  type AnswerOf,
  type BillingAddress,
  createOrder,
  getOrderDetails,
  type Plan,
  resumePayment,
  stripeCreditIntent,
  stripeIntent,
} from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import type { CartItem } from '../../entities/cart/cart.ts';
import { call } from '../../lib/api/api-client.ts';
import { queryOf, setQueryData } from '../../lib/api/query.ts';

export type OrderDetails = AnswerOf<typeof getOrderDetails>;

export function orderQuery(orderId: string) {
  return queryOptions({ ...queryOf(getOrderDetails, { orderId }), staleTime: 0 });
}

/** What is being bought: a plan, or the lines of a cart. */
export type Sale =
  | { type: 'plan'; plan: Plan }
  | { type: 'credits'; items: readonly CartItem[]; currency: string };

/** A payment open at its provider: for card data here, or for approval there. */
export type OpenPayment = Pick<
  AnswerOf<typeof resumePayment>,
  'order_id' | 'client_secret' | 'approve_url'
>;

/** Payment secrets are cached while the page lives, and never stored. */
export function openPaymentQuery(order_id: string) {
  return queryOf(resumePayment, { order_id });
}

export function cacheOpenPayment(payment: OpenPayment): void {
  const { order_id } = payment;
  setQueryData(resumePayment, { order_id }, payment as AnswerOf<typeof resumePayment>);
}

interface Opening {
  sale: Sale;
  method: 'card' | 'wallet';
  address: BillingAddress;
}

/** Creates an order. The shown prices are sent only for comparison. */
export async function openPayment(
  { sale, method, address }: Opening,
  idempotencyKey: string,
): Promise<OpenPayment> {
  const profile = { billing_address: address };
  const options = { idempotencyKey };
  const opened =
    method === 'wallet'
      ? call(createOrder, { ...forWallet(sale), profile }, options)
      : sale.type === 'credits'
        ? call(stripeCreditIntent, { plan: linesOf(sale), profile }, options)
        : call(stripeIntent, { plan: shownPlan(sale.plan), profile }, options);
  return { client_secret: null, approve_url: null, ...(await opened) };
}

export function reopenPayment(order_id: string): Promise<OpenPayment> {
  return call(resumePayment, { order_id });
}

function forWallet(sale: Sale) {
  if (sale.type === 'credits') return { type: sale.type, items: linesOf(sale) };
  return { type: sale.type, plan: shownPlan(sale.plan) };
}

function shownPlan({ id, price_minor, currency, submissions, period_days }: Plan) {
  return { id, price_minor, currency, submissions, period_days };
}

function linesOf({ items, currency }: Extract<Sale, { type: 'credits' }>) {
  return items.map(({ id, quantity, count, rate }) => ({ id, quantity, count, rate, currency }));
}
