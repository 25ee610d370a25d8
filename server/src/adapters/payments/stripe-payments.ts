import Stripe from 'stripe';
import {
  EventRefused,
  type NewPayment,
  type OpenPayment,
  type PaymentProvider,
  PaymentRefused,
  type PaymentSnapshot,
  type ProviderEvent,
  ProviderUnavailable,
  type Reversal,
} from '../../domains/billing/port.ts';
import * as texts from '../../texts/billing.ts';

export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  /** Replaces Stripe's address in tests and the demo. */
  apiBase: string | null;
}

const timeoutMilliseconds = 20_000;
const retries = 2;
/** For one piece of work: a fault uses up one of them at each try of a person. */
const mostKeys = 20;
/** Older messages may be replayed by an eavesdropper. */
const toleranceSeconds = 300;
/** The most that Stripe lists in one page. */
const reversalsLimit = 100;

/** Card payments. Stripe's library repeats the idempotency key, so a retry adds no intent. */
export function stripePayments({
  secretKey,
  webhookSecret,
  apiBase,
}: StripeOptions): PaymentProvider {
  const stripe = new Stripe(secretKey, {
    ...addressOf(apiBase),
    timeout: timeoutMilliseconds,
    maxNetworkRetries: retries,
    telemetry: false,
  });
  return {
    name: 'stripe',
    methods: ['card'],
    open: (payment) => withErrors(async () => openOf(await createIntent(stripe, payment))),
    find: (ref) => withErrors(() => findSnapshot(stripe, ref)),
    refund: ({ ref, amountMinor, key }) =>
      withErrors(async () => {
        await withKey(key, (options) =>
          stripe.refunds.create({ payment_intent: ref, amount: amountMinor }, options),
        );
      }),
    readEvent: async ({ body, headers }) => {
      try {
        return hintOf(
          stripe.webhooks.constructEvent(
            body,
            String(headers['stripe-signature']),
            webhookSecret,
            toleranceSeconds,
          ),
        );
      } catch (cause) {
        throw new EventRefused('the signature does not match', { cause });
      }
    },
  };
}

function createIntent(stripe: Stripe, payment: NewPayment): Promise<Stripe.PaymentIntent> {
  const intent = {
    amount: payment.totalMinor,
    currency: payment.currency.toLowerCase(),
    description: payment.description,
    metadata: { order_id: payment.orderId, user_id: payment.userId },
    automatic_payment_methods: { enabled: true },
  };
  return withKey(`open:${payment.paymentId}`, (options) =>
    stripe.paymentIntents.create(intent, options),
  );
}

/**
 * Stripe repeats its first answer to a key for a day, faults too. After a repeated fault, all
 * callers use the same next key, so the work is still done once. A refund that took effect despite
 * its fault is not repeated: Stripe refunds no more than what is left.
 */
async function withKey<T>(
  key: string,
  send: (options: Stripe.RequestOptions) => Promise<T>,
  number = 1,
): Promise<T> {
  // The library's own retries repeat a fault too. A later key is sent once, or a single call in an
  // outage would use up all of them.
  const later = { idempotencyKey: `${key}:${number}`, maxNetworkRetries: 0 };
  try {
    return await send(number === 1 ? { idempotencyKey: key } : later);
  } catch (error) {
    if (!isRepeated(error) || number === mostKeys) throw error;
    return withKey(key, send, number + 1);
  }
}

function isRepeated(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError && error.headers?.['idempotent-replayed'] === 'true'
  );
}

async function findSnapshot(stripe: Stripe, ref: string): Promise<PaymentSnapshot | null> {
  const intent = await stripe.paymentIntents.retrieve(ref).catch(nullIfMissing);
  if (!intent) return null;
  const isPaid = intent.status === 'succeeded';
  return {
    ...openOf(intent),
    state: isPaid ? 'paid' : stateOf(intent),
    problem: isPaid ? null : problemOf(intent),
    awaitsBuyer: intent.status.startsWith('requires_'),
    orderId: intent.metadata.order_id ?? null,
    userId: intent.metadata.user_id ?? null,
    amountMinor: isPaid ? intent.amount_received : intent.amount,
    currency: intent.currency.toUpperCase(),
    isLive: intent.livemode,
    reversals: isPaid ? await listReversals(stripe, ref) : [],
  };
}

/** A cancelled intent keeps its secret, but the secret no longer pays. */
function openOf({ id, status, client_secret }: Stripe.PaymentIntent): OpenPayment {
  return {
    ref: id,
    merchant: null,
    clientSecret: status === 'canceled' ? null : client_secret,
    approveUrl: null,
  };
}

function problemOf({ status, last_payment_error }: Stripe.PaymentIntent): string | null {
  if (status === 'canceled') return texts.paymentCancelled;
  if (status === 'processing') return texts.paymentChecking;
  return last_payment_error?.message ?? null;
}

/** After a declined card the intent waits for another: failed, and may still be paid. */
function stateOf(intent: Stripe.PaymentIntent): 'pending' | 'failed' {
  if (intent.status === 'canceled') return 'failed';
  return intent.status === 'requires_payment_method' && intent.last_payment_error
    ? 'failed'
    : 'pending';
}

async function listReversals(stripe: Stripe, ref: string): Promise<Reversal[]> {
  const filter = { payment_intent: ref, limit: reversalsLimit };
  const [refunds, disputes] = await Promise.all([
    stripe.refunds.list(filter),
    stripe.disputes.list(filter),
  ]);
  return [
    ...refunds.data.map(({ id, amount, status }) => ({
      ref: id,
      kind: 'refund' as const,
      state: refundStates[status ?? 'pending'] ?? 'open',
      amountMinor: amount,
    })),
    // A warning is an inquiry that moves no money.
    ...disputes.data
      .filter(({ status }) => !status.startsWith('warning'))
      .map((dispute) => ({
        ref: dispute.id,
        kind: 'dispute' as const,
        state: disputeState(dispute),
        amountMinor: dispute.amount,
      })),
  ];
}

const refundStates: Record<string, Reversal['state']> = {
  succeeded: 'taken',
  failed: 'returned',
  canceled: 'returned',
};

/**
 * A prevented dispute was blocked by the card network, or resolved by giving the money back: as a
 * refund, which is listed as such, or out of our balance.
 */
function disputeState({ status, balance_transactions }: Stripe.Dispute): Reversal['state'] {
  if (status === 'lost') return 'taken';
  if (status === 'won') return 'returned';
  if (status !== 'prevented') return 'open';
  return balance_transactions.reduce((sum, { amount }) => sum + amount, 0) < 0
    ? 'taken'
    : 'returned';
}

/** Intents are their own subject; charges, refunds and disputes name their intent. */
function hintOf(event: Stripe.Event): ProviderEvent {
  const subject = event.data.object as {
    id?: unknown;
    object?: unknown;
    payment_intent?: unknown;
    metadata?: unknown;
  };
  const metadata = (subject.metadata ?? {}) as Record<string, unknown>;
  const ref = subject.object === 'payment_intent' ? subject.id : subject.payment_intent;
  return {
    id: event.id,
    kind: event.type,
    orderId: textOrNull(metadata.order_id),
    paymentRef: textOrNull(ref),
  };
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing') return null;
  throw error;
}

const textOrNull = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

async function withErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    if (
      error instanceof Stripe.errors.StripeInvalidRequestError ||
      error instanceof Stripe.errors.StripeCardError
    )
      throw new PaymentRefused(error.message, { cause: error });
    throw new ProviderUnavailable('Stripe gave no usable answer', { cause: error });
  }
}

function addressOf(apiBase: string | null) {
  if (!apiBase) return {};
  const { hostname, port, protocol } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? ('http' as const) : ('https' as const),
  };
}
