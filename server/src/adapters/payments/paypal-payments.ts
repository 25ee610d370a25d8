import * as z from 'zod/mini';
import {
  type NewPayment,
  type OpenPayment,
  type PaymentProvider,
  PaymentRefused,
  type PaymentSnapshot,
  ProviderUnavailable,
  type RefundRequest,
  type Reversal,
} from '../../domains/billing/port.ts';
import { fromDecimal, toDecimal } from '../../lib/money.ts';
import * as texts from '../../texts/billing.ts';
import {
  issueOf,
  type PaypalAnswer,
  type PaypalClient,
  type PaypalOptions,
  paypalClient,
  refusedBy,
} from './paypal-client.ts';
import { hintOf } from './paypal-events.ts';
import { paypalSignatures } from './paypal-signature.ts';

const liveBase = 'https://api-m.paypal.com';

const money = z.object({ currency_code: z.string(), value: z.string() });
const transaction = z.object({
  id: z.string(),
  status: z.string(),
  amount: money,
  create_time: z.optional(z.string()),
});
type Transaction = z.infer<typeof transaction>;
const paypalOrder = z.object({
  id: z.string(),
  status: z.string(),
  purchase_units: z.array(
    z.object({
      amount: money,
      custom_id: z.optional(z.string()),
      reference_id: z.optional(z.string()),
      payee: z.optional(z.object({ merchant_id: z.optional(z.string()) })),
      payments: z.optional(
        z.object({
          captures: z.optional(z.array(transaction)),
          refunds: z.optional(z.array(transaction)),
        }),
      ),
    }),
  ),
  links: z.optional(z.array(z.object({ rel: z.string(), href: z.string() }))),
});
type PaypalOrder = z.infer<typeof paypalOrder>;

const dispute = z.object({
  dispute_id: z.string(),
  create_time: z.optional(z.string()),
  update_time: z.optional(z.string()),
  status: z.string(),
  dispute_amount: money,
  dispute_outcome: z.optional(
    z.object({ outcome_code: z.optional(z.string()), amount_refunded: z.optional(money) }),
  ),
});
type Dispute = z.infer<typeof dispute>;

/** Wallet payments: we create a PayPal order, the buyer approves it there, and we capture it. */
export function paypalPayments(options: PaypalOptions) {
  const call = paypalClient(options);
  const verify = paypalSignatures(options);
  return {
    name: 'paypal',
    methods: ['wallet'],
    open: (payment) => openOrder(call, payment),
    find: async (ref) => {
      const found = await call({ method: 'GET', path: pathOf(ref) });
      return found.status === 404
        ? null
        : snapshotOf(call, orderIn(found), options.apiBase === liveBase);
    },
    capture: (ref) => capture(call, ref),
    refund: (request) => refund(call, request),
    readEvent: async (message) => {
      await verify(message);
      return hintOf(message);
    },
  } satisfies PaymentProvider;
}

const pathOf = (ref: string) => `/v2/checkout/orders/${encodeURIComponent(ref)}`;

function orderIn(answer: PaypalAnswer): PaypalOrder {
  if (answer.status !== 200) throw refusedBy(answer);
  return paypalOrder.parse(answer.body);
}

async function openOrder(call: PaypalClient, payment: NewPayment): Promise<OpenPayment> {
  const { totalMinor, currency, orderId, userId, description } = payment;
  const experience_context = {
    return_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    user_action: 'PAY_NOW',
    shipping_preference: 'NO_SHIPPING',
  };
  const amount = { currency_code: currency, value: toDecimal(totalMinor, currency) };
  const created = await call({
    method: 'POST',
    path: '/v2/checkout/orders',
    requestId: `open:${payment.paymentId}`,
    body: {
      intent: 'CAPTURE',
      purchase_units: [
        {
          reference_id: userId,
          custom_id: orderId,
          description: description.slice(0, 127),
          amount,
        },
      ],
      payment_source: { paypal: { experience_context } },
    },
  });
  if (created.status >= 300) throw refusedBy(created);
  return openOf(paypalOrder.parse(created.body));
}

function openOf(order: PaypalOrder): OpenPayment {
  const link = order.links?.find(({ rel }) => rel === 'payer-action' || rel === 'approve');
  const merchant = order.purchase_units[0]?.payee?.merchant_id ?? null;
  return { ref: order.id, merchant, clientSecret: null, approveUrl: link?.href ?? null };
}

/** Ignores what the order's state shows too: captured, being captured, not approved yet. */
async function capture(call: PaypalClient, ref: string): Promise<void> {
  const path = `${pathOf(ref)}/capture`;
  const answer = await call({ method: 'POST', path, requestId: `capture:${ref}`, body: {} });
  const showsInOrder = [
    'ORDER_ALREADY_CAPTURED',
    'PREVIOUS_REQUEST_IN_PROGRESS',
    'ORDER_NOT_APPROVED',
    'PAYER_ACTION_REQUIRED',
  ].includes(issueOf(answer));
  if (answer.status >= 300 && !showsInOrder) throw refusedBy(answer);
}

/** Refunds the capture of the order, in the currency it was captured in. */
async function refund(call: PaypalClient, { ref, amountMinor, key }: RefundRequest): Promise<void> {
  const order = orderIn(await call({ method: 'GET', path: pathOf(ref) }));
  const paid = paidOf(order.purchase_units[0]?.payments?.captures ?? []);
  if (!paid) throw new PaymentRefused(texts.nothingCaptured);
  const { currency_code } = paid.amount;
  const amount = { currency_code, value: toDecimal(amountMinor, currency_code) };
  const path = `/v2/payments/captures/${encodeURIComponent(paid.id)}/refund`;
  const refunded = await call({ method: 'POST', path, requestId: key, body: { amount } });
  if (refunded.status >= 300) throw refusedBy(refunded);
}

function paidOf(captures: readonly Transaction[]) {
  return captures.find(({ status }) =>
    ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(status),
  );
}

async function snapshotOf(
  call: PaypalClient,
  order: PaypalOrder,
  isLive: boolean,
): Promise<PaymentSnapshot> {
  const [unit] = order.purchase_units;
  const { captures = [], refunds = [] } = unit?.payments ?? {};
  const paid = paidOf(captures);
  if (!unit) throw new ProviderUnavailable('a PayPal order has no purchase unit');
  const { amount } = paid ?? unit;
  return {
    ...openOf(order),
    ...stateOf(order.status, paid ?? captures.at(-1)),
    orderId: unit.custom_id ?? null,
    userId: unit.reference_id ?? null,
    amountMinor: fromDecimal(amount.value, amount.currency_code),
    currency: amount.currency_code,
    isLive,
    ...(paid ? await listReversals(call, paid.id, refunds) : { reversals: [] }),
  };
}

function stateOf(
  status: string,
  capture: Transaction | undefined,
): Pick<PaymentSnapshot, 'state' | 'problem' | 'awaitsBuyer'> {
  if (!capture) {
    if (status === 'VOIDED') return { state: 'failed', problem: texts.paymentCancelled };
    if (status === 'APPROVED') return { state: 'approved', problem: null };
    return { state: 'pending', problem: null, awaitsBuyer: true };
  }
  if (capture.status === 'PENDING') return { state: 'pending', problem: texts.paymentChecking };
  if (capture.status === 'DECLINED' || capture.status === 'FAILED')
    return { state: 'failed', problem: texts.walletDeclined };
  return { state: 'paid', problem: null };
}

const refundStates: Record<string, Reversal['state']> = {
  COMPLETED: 'taken',
  FAILED: 'returned',
  CANCELLED: 'returned',
};

function refundOf({ id, status, amount }: Transaction): Reversal {
  return {
    ref: id,
    kind: 'refund',
    state: refundStates[status] ?? 'open',
    amountMinor: fromDecimal(amount.value, amount.currency_code),
  };
}

async function listReversals(
  call: PaypalClient,
  captureId: string,
  refunds: readonly Transaction[],
): Promise<Pick<PaymentSnapshot, 'reversals' | 'unreadDisputes'>> {
  const read = await listDisputes(call, captureId);
  const disputes = read.flatMap(({ dispute }) => dispute ?? []);
  const listedRefunds = refunds
    .filter((refund) => refundOf(refund).state !== 'returned')
    .map((refund) => ({ time: timeOf(refund.create_time), left: refundOf(refund).amountMinor }))
    .toSorted((one, other) => one.time - other.time);
  return {
    reversals: [
      ...refunds.map(refundOf),
      ...disputes
        .toSorted((one, other) => lastChangeOf(one) - lastChangeOf(other))
        .map((dispute) => disputeOf(dispute, listedRefunds)),
    ],
    unreadDisputes: read.flatMap(({ unread }) => unread ?? []),
  };
}

/** Empty when the application may not read disputes. */
async function listDisputes(
  call: PaypalClient,
  captureId: string,
): Promise<{ dispute?: Dispute | undefined; unread?: string }[]> {
  const path = '/v1/customer/disputes';
  const listed = await call({
    method: 'GET',
    path: `${path}?disputed_transaction_id=${encodeURIComponent(captureId)}`,
  });
  if (listed.status !== 200) return [];
  const { items } = z
    .object({ items: z.optional(z.array(z.looseObject({ dispute_id: z.string() }))) })
    .parse(listed.body);
  return Promise.all(
    (items ?? []).map(async (item) => {
      const { dispute_id } = item;
      try {
        const { body } = await call({ method: 'GET', path: `${path}/${dispute_id}` });
        return { dispute: dispute.parse(body) };
      } catch {
        // The list names the amount of one that is open, but no outcome.
        const { data } = dispute.safeParse(item);
        return { unread: dispute_id, dispute: data?.status === 'RESOLVED' ? undefined : data };
      }
    }),
  );
}

/**
 * What a lost dispute takes is a refund of the capture too, and counts as that once listed. Each
 * refund covers one dispute. The earliest decided comes first, so later decisions do not change it.
 */
function disputeOf(
  { dispute_id, create_time, status, dispute_amount, dispute_outcome }: Dispute,
  refunds: readonly { time: number; left: number }[],
): Reversal {
  const { outcome_code, amount_refunded } = dispute_outcome ?? {};
  const reversal = {
    ref: dispute_id,
    kind: 'dispute' as const,
    amountMinor: fromDecimal(dispute_amount.value, dispute_amount.currency_code),
  };
  if (status !== 'RESOLVED') return { ...reversal, state: 'open' };
  if (outcome_code !== 'RESOLVED_BUYER_FAVOUR') return { ...reversal, state: 'returned' };
  // The seller may have offered less than the buyer asked for.
  const taken = amount_refunded ?? dispute_amount;
  let left = fromDecimal(taken.value, taken.currency_code);
  for (const refund of refunds.filter(({ time }) => time >= timeOf(create_time))) {
    const covered = Math.min(left, refund.left);
    refund.left -= covered;
    left -= covered;
  }
  return left > 0
    ? { ...reversal, state: 'taken', amountMinor: left }
    : { ...reversal, state: 'returned' };
}

function lastChangeOf({ create_time, update_time = create_time }: Dispute): number {
  return timeOf(update_time);
}

function timeOf(time: string | undefined): number {
  return time ? Date.parse(time) : 0;
}
