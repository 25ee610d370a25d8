import type { PaymentMethod, ReversalKind, ReversalState } from '@rowmill/contract';

/* What billing needs from a payment provider. Amounts are whole minor units. An event only names
   a payment, and `find` asks the provider for its state. */

export interface NewPayment {
  /** The provider's idempotency key: opening the same payment again returns the first one. */
  paymentId: string;
  orderId: string;
  userId: string;
  totalMinor: number;
  currency: string;
  description: string;
  /** Where a page of the provider sends the buyer back to. */
  returnUrl: string;
  cancelUrl: string;
}

/** A payment that waits for the buyer. */
export interface OpenPayment {
  ref: string;
  /** Who receives the money, where the provider reports it. */
  merchant: string | null;
  /** The browser pays a card with this. */
  clientSecret: string | null;
  /** The page where the buyer approves a wallet payment. */
  approveUrl: string | null;
}

export interface Reversal {
  ref: string;
  kind: ReversalKind;
  state: ReversalState;
  amountMinor: number;
}

/** The state of a payment as its provider reports it. */
export interface PaymentSnapshot extends OpenPayment {
  /** `approved`: the buyer agreed, and the money waits to be captured. */
  state: 'pending' | 'approved' | 'paid' | 'failed';
  /** Why it failed, in the provider's words for the buyer. */
  problem: string | null;
  /** Pending because the buyer has not agreed, or must agree again after a decline. */
  awaitsBuyer?: boolean;
  orderId: string | null;
  userId: string | null;
  /** The amount received, or requested while it is unpaid. */
  amountMinor: number;
  currency: string;
  isLive: boolean;
  reversals: readonly Reversal[];
  /** Ids of disputes whose state the provider did not report now. */
  unreadDisputes?: readonly string[];
}

export interface RefundRequest {
  ref: string;
  amountMinor: number;
  key: string;
}

export interface EventMessage {
  /** The exact bytes received, because the signature covers them. */
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Where it came from, which anybody may be. */
  network: string;
}

/** An event with neither order nor reference is not about a payment. */
export interface ProviderEvent {
  id: string;
  kind: string;
  orderId: string | null;
  paymentRef: string | null;
}

export interface PaymentProvider {
  /** Stored with each payment, and part of the webhook address. */
  readonly name: string;
  readonly methods: readonly PaymentMethod[];
  open(payment: NewPayment): Promise<OpenPayment>;
  /** Null when the provider does not know the payment, or no longer does. */
  find(ref: string): Promise<PaymentSnapshot | null>;
  /** For providers that only reserve the money on approval. Repeating it captures once. */
  capture?(ref: string): Promise<void>;
  /** Refunds part or all of a payment. The same key refunds once. */
  refund(request: RefundRequest): Promise<void>;
  /** Throws EventRefused unless the signature proves that the provider sent the message. */
  readEvent(message: EventMessage): Promise<ProviderEvent>;
}

/** The provider gave no usable answer. The state is unknown, and the call can be repeated. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** The provider understood the request and refused it. The message is for the buyer. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
}

/** A message that does not prove it came from the provider. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
}
