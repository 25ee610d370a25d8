import * as z from 'zod/mini';
import { call } from './endpoint.ts';
import {
  boundedObject,
  count,
  currency,
  debt,
  givenDay,
  id,
  instant,
  line,
  maximumQuantity,
  minor,
  namedPerson,
  page,
  switchedAs,
} from './fields.ts';
import { billingAddress } from './identity.ts';
import { orderTypes, paymentMethods, paymentStates } from './states.ts';

/* Card and wallet purchases have the same steps: create the order, pay at the provider,
   `confirmPayment`, then claim with `buyCredits` or `setPlan`. Confirming delivers, and so do
   webhooks and the reconciler. Card: `stripe/intent` and `stripe/creditintent` return a
   `client_secret`: for the Payment Element when the settings have a
   `payments.stripe.publishable_key`, for the test form with `payments.test_cards` (see
   test-cards.ts). Wallet (`payments.paypal.client_id` or `payments.test_wallet`): `createOrder`
   returns an `approve_url`. The page goes there and returns to `/checkout?order_id=…` (credits)
   or `/auth/billing?order_id=…` (plan), with `cancelled=1` if the buyer cancelled. Prices
   include tax: the total is what the buyer pays, and `tax_minor` is the tax within it. */
const paymentState = z.enum(paymentStates);
/** The fields named `provider` hold the payment method. */
const provider = z.enum(paymentMethods);

const quantity = z
  .int('Must be a whole number.')
  .check(z.gte(1, 'At least 1.'), z.lte(maximumQuantity, 'At most 10,000.'));
/** One line of a cart. Values shown to the buyer must equal ours, else 422. */
export const saleItem = z.object({
  id,
  quantity,
  count: z.optional(count),
  rate: z.optional(minor),
  currency: z.optional(currency),
});
export type SaleItem = z.infer<typeof saleItem>;
const saleItems = z
  .array(saleItem, 'Must be a list.')
  .check(z.minLength(1, 'The cart is empty.'), z.maxLength(50, 'At most 50 lines.'));

/** Quantity and total of a cart, by the two formulas of the specification. */
export function totalsOf(items: readonly { quantity: number; count: number; rate: number }[]) {
  return {
    qty: items.reduce((sum, item) => sum + item.quantity * item.count, 0),
    total: items.reduce((sum, item) => sum + item.quantity * item.rate, 0),
  };
}

const profile = z.optional(boundedObject(8192));
const openOrder = z.object({
  order_id: id,
  client_secret: z.string(),
  total_minor: minor,
  currency,
});

/** The plan to buy. Terms shown to the buyer must equal ours, else 422. */
const chosenPlan = z.object(
  {
    id,
    price_minor: z.optional(minor),
    currency: z.optional(currency),
    submissions: z.optional(count),
    period_days: z.optional(z.nullable(z.int())),
  },
  'Must be an object.',
);
export type ChosenPlan = z.infer<typeof chosenPlan>;

const orderSummary = z.object({
  order_id: id,
  /** The invoice number; null until the order is paid. */
  number: z.nullable(z.string()),
  type: z.enum(orderTypes),
  created_at: instant,
  paid_at: z.nullable(instant),
  description: z.string(),
  submissions: count,
  total_minor: minor,
  refunded_minor: minor,
  currency,
  provider,
  payment_status: paymentState,
  /** Why it is not paid, for the buyer. */
  problem: z.nullable(z.string()),
  can_resume: z.boolean(),
  /** The order in which the same was paid instead. An unpaid order with one cannot be paid. */
  replaced_by: z.nullable(id),
  invoice_url: z.nullable(z.string()),
});
export type OrderSummary = z.infer<typeof orderSummary>;

const paymentSummary = z.object({
  id,
  order_id: id,
  created_at: instant,
  provider,
  description: z.string(),
  total_minor: minor,
  refunded_minor: minor,
  currency,
  payment_status: paymentState,
  problem: z.nullable(z.string()),
  /** The order in which the same was paid instead. */
  replaced_by: z.nullable(id),
});
export type PaymentSummary = z.infer<typeof paymentSummary>;

export const createOrder = call({
  path: '/api/createOrder',
  summary:
    'Creates an order at the present prices and its wallet payment. When no client is named, it is for the `customer` of the cart, or for the `user_id` in the profile.',
  idempotent: 'outside',
  request: z.object({
    type: z.enum(orderTypes, 'Either plan or credits.'),
    plan: z.optional(chosenPlan),
    items: z.optional(saleItems),
    customer: namedPerson,
    profile,
    switchedAs,
  }),
  answer: z.object({ order_id: id, total_minor: minor, currency, approve_url: z.string() }),
  refusals: ['not_found', 'not_now', 'payment_refused'],
});

export const stripeIntent = call({
  path: '/api/stripe/intent',
  summary:
    'Creates an order for a plan and its card payment. When no client is named, it is for the `user_id` in the profile.',
  body: ['plan', 'profile'],
  idempotent: 'outside',
  request: z.object({ plan: chosenPlan, profile, switchedAs }),
  answer: openOrder,
  refusals: ['not_found', 'not_now', 'payment_refused'],
});

export const stripeCreditIntent = call({
  path: '/api/stripe/creditintent',
  summary:
    'Creates an order for the lines of a cart and its card payment. When no client is named, it is for the `user_id` in the profile.',
  body: ['plan', 'profile'],
  idempotent: 'outside',
  request: z.object({ plan: saleItems, profile, switchedAs }),
  answer: openOrder,
  refusals: ['not_found', 'not_now', 'payment_refused'],
});

export const resumePayment = call({
  path: '/api/resumePayment',
  summary: 'Reopens the payment of a pending or failed order, at the prices it was created with.',
  names: { field: 'order_id', a: 'order' },
  idempotent: 'outside',
  request: z.object({ order_id: id, switchedAs }),
  answer: z.object({
    order_id: id,
    type: z.enum(orderTypes),
    description: z.string(),
    provider,
    /** For card payments. */
    client_secret: z.nullable(z.string()),
    /** For wallet payments. */
    approve_url: z.nullable(z.string()),
    total_minor: minor,
    currency,
  }),
  refusals: ['not_found', 'not_now', 'payment_refused'],
});

export const confirmPayment = call({
  path: '/api/confirmPayment',
  summary: 'Asks the payment provider about an order, and fulfils it if it is paid.',
  names: { field: 'order_id', a: 'order' },
  request: z.object({ order_id: id, switchedAs }),
  answer: z.object({
    payment_status: paymentState,
    creditsAvailable: count,
    debt,
    type: z.enum(orderTypes),
    plan_id: z.nullable(id),
    submissions: count,
    /** How many of them paid a debt. */
    repaid: count,
    problem: z.nullable(z.string()),
    /** The buyer has paid, and the provider is still checking it. Do not pay again. */
    is_processing: z.boolean(),
  }),
  refusals: ['not_found', 'payment_refused'],
});

export const buyCredits = call({
  path: '/api/buyCredits',
  summary:
    'Fulfils an order of submissions if it is paid, and returns the balance. Repeated calls add nothing.',
  names: { field: 'order_id', a: 'order' },
  idempotent: 'outside',
  request: z.object({ order_id: id, switchedAs }),
  answer: z.object({ creditsAvailable: count }),
  refusals: ['not_found', 'not_paid', 'payment_refused'],
});

export const getPaymentStatus = call({
  path: '/api/emedia/getPaymentStatus',
  summary: 'The stored payment state of an order.',
  body: ['order_id'],
  names: { field: 'order_id', a: 'order' },
  request: z.object({ order_id: id, switchedAs }),
  answer: z.object({ payment_status: paymentState, problem: z.nullable(z.string()) }),
  refusals: ['not_found'],
});

export const getOrders = call({
  path: '/api/getOrders',
  summary: 'The orders, newest first.',
  request: z.object({ ...page, switchedAs }),
  answer: z.object({ orders: z.array(orderSummary), total: count }),
});

export const getPayments = call({
  path: '/api/getPayments',
  summary: 'The payments, newest first.',
  request: z.object({ ...page, switchedAs }),
  answer: z.object({ payments: z.array(paymentSummary), total: count }),
});

export const getOrderDetails = call({
  path: '/api/getOrderDetails',
  summary: 'One order with its lines, tax, payments and billing address.',
  body: ['orderId'],
  names: { field: 'orderId', a: 'order' },
  request: z.object({ orderId: id, switchedAs }),
  answer: z.object({
    order: orderSummary,
    lines: z.array(
      z.object({ name: z.string(), quantity: count, count, rate_minor: minor, total_minor: minor }),
    ),
    tax_minor: minor,
    tax_name: z.string(),
    tax_percent: z.number(),
    payments: z.array(paymentSummary),
    /** As on the invoice. */
    billing_address: billingAddress,
    invoice_url: z.nullable(z.string()),
    credit_notes: z.array(
      z.object({ number: z.string(), issued_at: instant, total_minor: minor, url: z.string() }),
    ),
  }),
  refusals: ['not_found'],
});

export const userBillingAddress = call({
  path: '/api/userBillingAddress',
  summary: 'Returns the billing address, and replaces it if the request has one.',
  request: z.object({
    billing_address: z.optional(z.strictObject(billingAddress.shape)),
    switchedAs,
  }),
  answer: z.object({ billing_address: billingAddress }),
});

export const downloadInvoiceList = call({
  path: '/api/downloadInvoiceList',
  summary:
    'The invoices and credit notes issued from one day to another, both included and in UTC, at most 366 days, as CSV. A credit note has negative amounts, so a column sums up what remains.',
  requires: 'viewInstallation',
  sends: 'file',
  fileTypes: ['text/csv'],
  request: z.object({ from: givenDay, to: givenDay }),
  answer: z.unknown(),
});

export const getInvoice = call({
  method: 'GET',
  path: '/api/invoices/{orderId}',
  summary:
    'The invoice of a paid order as a PDF, or with `credit_note` the credit note with that number.',
  names: { field: 'orderId', a: 'order' },
  accepts: 'nothing',
  sends: 'file',
  fileTypes: ['application/pdf'],
  request: z.object({ orderId: id, credit_note: z.optional(line(40)), switchedAs: z.optional(id) }),
  answer: z.unknown(),
  refusals: ['not_found'],
});
