import {
  type AnswerOf,
  type BillingAddress,
  createOrder,
  getOrderDetails,
  getOrders,
  getPayments,
  type Plan,
  resumePayment,
  stripeCreditIntent,
  stripeIntent,
  userBillingAddress,
} from '@rowmill/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import type { CartItem } from '../../lib/cart.ts';
import type { ListView } from './use-list-view.ts';

export const perPage = 20;

/** What is fetched is kept apart by the person for whom it is. */
export const billingKeys = {
  orders: (userId: string) => ['orders', userId],
  payments: (userId: string) => ['payments', userId],
  order: (userId: string, orderId: string) => ['order', userId, orderId],
  settlement: (userId: string, orderId: string) => ['settlement', userId, orderId],
} as const;

export type OrderDetails = AnswerOf<typeof getOrderDetails>;

export function ordersQuery(userId: string, { search, start }: ListView) {
  return queryOptions({
    queryKey: [...billingKeys.orders(userId), { search, start }],
    queryFn: ({ signal }) => call(getOrders, { search, start, limit: perPage }, { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

export function paymentsQuery(userId: string, { search, start }: ListView) {
  return queryOptions({
    queryKey: [...billingKeys.payments(userId), { search, start }],
    queryFn: ({ signal }) => call(getPayments, { search, start, limit: perPage }, { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

export function orderQuery(userId: string, orderId: string) {
  return queryOptions({
    queryKey: billingKeys.order(userId, orderId),
    queryFn: ({ signal }) => call(getOrderDetails, { orderId }, { signal }),
    staleTime: 0,
  });
}

/** A form takes its first values once, so they are asked for anew each time and not taken from an older answer. */
export function addressQuery(userId: string) {
  return queryOptions({
    queryKey: ['address-to-bill', userId],
    queryFn: async ({ signal }) => (await call(userBillingAddress, {}, { signal })).billing_address,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** What is sold, as it is shown: a plan, or the lines of a cart. */
export type Sale =
  | { type: 'plan'; plan: Pick<Plan, 'id' | 'price_minor' | 'currency'> }
  | { type: 'credits'; items: readonly CartItem[]; currency: string };

/** A payment that waits at its provider: for the data of a card here, or for the person to come there. */
export interface OpenPayment {
  order_id: string;
  client_secret: string | null;
  approve_url: string | null;
}

interface Opening {
  sale: Sale;
  method: 'card' | 'wallet';
  address: BillingAddress;
}

/** Makes an order. The prices that were shown go along only to be compared with the server's. */
export async function openPayment(
  { sale, method, address }: Opening,
  idempotencyKey: string,
): Promise<OpenPayment> {
  const profile = { billing_address: address };
  const options = { idempotencyKey };
  if (method === 'wallet')
    return {
      client_secret: null,
      ...(await call(createOrder, { ...forWallet(sale), profile }, options)),
    };
  if (sale.type === 'credits') {
    const answer = await call(stripeCreditIntent, { plan: linesOf(sale), profile }, options);
    return { approve_url: null, ...answer };
  }
  return {
    approve_url: null,
    ...(await call(stripeIntent, { plan: shownPlan(sale.plan), profile }, options)),
  };
}

export function reopenPayment(order_id: string): Promise<OpenPayment> {
  return call(resumePayment, { order_id });
}

function forWallet(sale: Sale) {
  if (sale.type === 'credits') return { type: sale.type, items: linesOf(sale) };
  return { type: sale.type, plan: shownPlan(sale.plan) };
}

function shownPlan({ id, price_minor, currency }: Extract<Sale, { type: 'plan' }>['plan']) {
  return { id, price_minor, currency };
}

function linesOf({ items, currency }: Extract<Sale, { type: 'credits' }>) {
  return items.map(({ id, quantity, count, rate }) => ({ id, quantity, count, rate, currency }));
}
