import { randomBytes } from 'node:crypto';

export interface Intent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_received: number;
  currency: string;
  description: string | null;
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  client_secret: string;
  metadata: Record<string, string>;
  livemode: boolean;
  latest_charge: string | null;
  last_payment_error: { type: string; code: string; message: string } | null;
  created: number;
}

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  currency: string;
  payment_intent: string;
  status: 'pending' | 'succeeded' | 'failed';
}

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  currency: string;
  payment_intent: string;
  status: 'needs_response' | 'won' | 'lost' | 'prevented';
  balance_transactions: { amount: number }[];
}

export type Subject =
  | Intent
  | Refund
  | Dispute
  | { id: string; object: 'charge'; payment_intent: string };
export type EmitEvent = (type: string, subject: Subject) => void;

export const newRef = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;

/** The provider's payments, and what can happen to them. Each change emits an event. */
export class Intents {
  readonly all = new Map<string, Intent>();
  readonly refunds: Refund[] = [];
  readonly disputes: Dispute[] = [];
  /** When set, refunds by the API are refused with this message. */
  refundRefusal: string | null = null;
  /** While set, no intent is made: Stripe answers with a fault. */
  isBroken = false;
  readonly #emit: EmitEvent;

  constructor(emit: EmitEvent) {
    this.#emit = emit;
  }

  create(wanted: Pick<Intent, 'amount' | 'currency' | 'description' | 'metadata'>): Intent {
    const id = newRef('pi');
    const intent: Intent = {
      id,
      object: 'payment_intent',
      ...wanted,
      amount_received: 0,
      status: 'requires_payment_method',
      client_secret: `${id}_${newRef('secret')}`,
      livemode: false,
      latest_charge: null,
      last_payment_error: null,
      created: Math.floor(Date.now() / 1000),
    };
    this.all.set(id, intent);
    return intent;
  }

  /** By its id or its secret. */
  find(ref: string): Intent | undefined {
    const isNamed = ({ client_secret }: Intent) => client_secret === ref;
    return this.all.get(ref) ?? [...this.all.values()].find(isNamed);
  }

  get(ref: string): Intent {
    const found = this.find(ref);
    if (!found) throw new Error(`No such payment_intent: ${ref}`);
    return found;
  }

  succeed(intent: Intent, received = intent.amount, emit: EmitEvent = this.#emit): void {
    if (intent.status === 'succeeded') return;
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: received,
      latest_charge: newRef('ch'),
      last_payment_error: null,
    });
    emit('payment_intent.succeeded', intent);
  }

  decline(intent: Intent, code: string, message: string): void {
    Object.assign(intent, {
      status: 'requires_payment_method',
      last_payment_error: { type: 'card_error', code, message },
    });
    this.#emit('payment_intent.payment_failed', intent);
  }

  wait(intent: Intent, status: 'requires_action' | 'processing'): void {
    intent.status = status;
    this.#emit(`payment_intent.${status}`, intent);
  }

  /** As in Stripe's dashboard. The intent keeps its secret. */
  cancel(intent: Intent): void {
    intent.status = 'canceled';
    this.#emit('payment_intent.canceled', intent);
  }

  refund(
    ref: string,
    amount = this.get(ref).amount_received,
    status: Refund['status'] = 'succeeded',
  ): Refund {
    const { id, currency, latest_charge } = this.get(ref);
    const refund: Refund = {
      id: newRef('re'),
      object: 'refund',
      amount,
      currency,
      payment_intent: id,
      status,
    };
    this.refunds.push(refund);
    this.#emit('charge.refunded', {
      id: latest_charge ?? '',
      object: 'charge',
      payment_intent: id,
    });
    return refund;
  }

  /** The most that can still be refunded. */
  refundable({ id, amount_received }: Intent): number {
    const refunded = this.refunds.filter(
      ({ payment_intent, status }) => payment_intent === id && status !== 'failed',
    );
    return refunded.reduce((left, { amount }) => left - amount, amount_received);
  }

  endRefund(refund: Refund, status: Refund['status']): void {
    refund.status = status;
    this.#emit('refund.updated', refund);
  }

  dispute(ref: string, amount = this.get(ref).amount_received): Dispute {
    const { id, currency } = this.get(ref);
    const dispute: Dispute = {
      id: newRef('dp'),
      object: 'dispute',
      amount,
      currency,
      payment_intent: id,
      status: 'needs_response',
      balance_transactions: [{ amount: -amount }],
    };
    this.disputes.push(dispute);
    this.#emit('charge.dispute.created', dispute);
    return dispute;
  }

  closeDispute(dispute: Dispute, status: 'won' | 'lost' | 'prevented'): void {
    dispute.status = status;
    if (status === 'won') dispute.balance_transactions.push({ amount: dispute.amount });
    this.#emit('charge.dispute.closed', dispute);
  }
}
