import type { ReversalKind, ReversalState } from '@rowmill/contract';

/*
 * What billing needs of a payment provider. Money is whole minor units. What a provider says in an event is never believed:
 * an event only names a payment, and how that stands is asked with `find`.
 */

export interface NewPayment {
  /** Names the payment for ever: opening it again gives the same one. */
  paymentId: string;
  orderId: string;
  userId: string;
  totalMinor: number;
  currency: string;
  description: string;
  /** Where the person comes back to from a page of the provider. */
  returnUrl: string;
  cancelUrl: string;
}

/** A payment that waits for the person. */
export interface OpenPayment {
  ref: string;
  /** Who is to be paid, where the provider says so. */
  merchant: string | null;
  /** With this the browser pays a card. */
  clientSecret: string | null;
  /** There the person approves a wallet payment. */
  approveUrl: string | null;
}

export interface Reversal {
  ref: string;
  kind: ReversalKind;
  state: ReversalState;
  amountMinor: number;
}

/** How a payment stands at the provider. */
export interface Standing extends OpenPayment {
  /** `approved`: the person has agreed, and the money waits to be captured. */
  state: 'pending' | 'approved' | 'paid' | 'failed';
  /** Why it failed, in the provider's words for the person. */
  problem: string | null;
  orderId: string | null;
  userId: string | null;
  /** What was paid, or is to be. */
  amountMinor: number;
  currency: string;
  isLive: boolean;
  reversals: readonly Reversal[];
}

export interface GivenBack {
  ref: string;
  amountMinor: number;
  key: string;
}

export interface EventMessage {
  /** Byte for byte as it came, for the signature is over the bytes. */
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface ProviderEvent {
  id: string;
  kind: string;
  /** Null where it does not say. Neither: it is not about a payment. */
  orderId: string | null;
  paymentRef: string | null;
}

export interface CardPayments {
  open(payment: NewPayment): Promise<OpenPayment>;
  /** Null when the provider does not know it, or not any more. */
  find(ref: string): Promise<Standing | null>;
  /** Gives that much of what was paid back. The same key gives it once. */
  giveBack(part: GivenBack): Promise<void>;
  /** Throws EventRefused for what is not certainly the provider's. */
  readEvent(message: EventMessage): Promise<ProviderEvent>;
}

export interface WalletPayments extends CardPayments {
  /** Takes the money that was approved. Taking it twice takes it once. */
  capture(ref: string): Promise<void>;
}

/** The provider does not answer, or not now. Nothing is known; asking again later is right. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** The provider has understood, and will not. Its message is for the person. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
}

/** A message that claims to come from the provider does not prove it. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
}
