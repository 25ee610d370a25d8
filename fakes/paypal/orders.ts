import { randomBytes } from 'node:crypto';

export interface Money {
  currency_code: string;
  value: string;
}

interface Transaction {
  id: string;
  status: string;
  amount: Money;
  create_time: string;
}

export interface WalletOrder {
  id: string;
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  returnUrl: string;
  cancelUrl: string;
  amount: Money;
  customId: string;
  referenceId: string;
  merchantId: string;
  captures: Transaction[];
  refunds: Transaction[];
  /** What the buyer chose on the test page. */
  outcome: TestOutcome;
}

export interface WalletDispute {
  dispute_id: string;
  create_time: string;
  update_time: string;
  status: 'WAITING_FOR_SELLER_RESPONSE' | 'RESOLVED';
  dispute_amount: Money;
  dispute_outcome?: {
    outcome_code: 'RESOLVED_BUYER_FAVOUR' | 'RESOLVED_SELLER_FAVOUR';
    amount_refunded?: Money;
  };
  disputed_transactions: { seller_transaction_id: string; custom: string }[];
}

/** The choices of the test page. */
export const testOutcomes = {
  pay: 'Pay',
  decline: 'Decline the payment',
  pending: 'Pay; the wallet takes a few seconds to check',
  late: 'Pay; the webhook arrives late',
  duplicated: 'Pay; each webhook arrives three times',
  wrong_amount: 'Pay the wrong amount',
  disputed: 'Pay, then dispute',
  refunded: 'Pay, then get a refund',
} as const;
export type TestOutcome = keyof typeof testOutcomes;

export const newId = (length = 17) =>
  randomBytes(length).toString('hex').slice(0, length).toUpperCase();

export type EmitEvent = (
  type: string,
  resource: object,
  delivery?: { times?: number; afterMilliseconds?: number },
) => void;

interface Delays {
  slowMilliseconds: number;
  later(milliseconds: number, act: () => void): void;
}

/** PayPal's orders, and what can happen to them. Each change emits an event. */
export class WalletOrders {
  readonly all = new Map<string, WalletOrder>();
  readonly disputes: WalletDispute[] = [];
  /** When set, refunds by the API are refused with this message. */
  refundRefusal: string | null = null;
  /** Ids of disputes that are listed, but cannot be read. */
  readonly unreadable = new Set<string>();
  /** While set, a declined order stays approved, and names no page where the buyer can choose. */
  staysApproved = false;
  /** While set, PayPal is working on an earlier call, and refuses others that would do the same. */
  isBusy = false;
  readonly #emit: EmitEvent;
  readonly #delays: Delays;
  #time = 0;

  constructor(emit: EmitEvent, delays: Delays) {
    this.#emit = emit;
    this.#delays = delays;
  }

  add(
    order: Pick<
      WalletOrder,
      'returnUrl' | 'cancelUrl' | 'amount' | 'customId' | 'referenceId' | 'merchantId'
    >,
  ): WalletOrder {
    const made: WalletOrder = {
      ...order,
      id: newId(),
      status: 'PAYER_ACTION_REQUIRED',
      captures: [],
      refunds: [],
      outcome: 'pay',
    };
    this.all.set(made.id, made);
    return made;
  }

  approve(id: string, outcome: TestOutcome = 'pay'): WalletOrder {
    const order = this.get(id);
    if (order.status === 'PAYER_ACTION_REQUIRED') {
      Object.assign(order, { status: 'APPROVED', outcome });
      this.#emit('CHECKOUT.ORDER.APPROVED', {
        id,
        purchase_units: [{ custom_id: order.customId }],
      });
    }
    return order;
  }

  /** False when the funding source declines and the buyer has to choose another. */
  capture(order: WalletOrder): boolean {
    const { outcome } = order;
    if (outcome === 'decline') {
      order.status = this.staysApproved ? 'APPROVED' : 'PAYER_ACTION_REQUIRED';
      return false;
    }
    const amount = outcome === 'wrong_amount' ? { ...order.amount, value: '0.01' } : order.amount;
    const capture = {
      id: newId(),
      status: outcome === 'pending' ? 'PENDING' : 'COMPLETED',
      amount,
      create_time: this.#nextTime(),
    };
    order.captures.push(capture);
    order.status = 'COMPLETED';
    const delivery = {
      ...(outcome === 'duplicated' ? { times: 3 } : {}),
      ...(outcome === 'late' ? { afterMilliseconds: this.#delays.slowMilliseconds } : {}),
    };
    this.#emit(`PAYMENT.CAPTURE.${capture.status}`, this.#resource(order, capture), delivery);
    if (outcome === 'pending')
      this.#delays.later(this.#delays.slowMilliseconds, () => this.endCapture(order, 'COMPLETED'));
    if (outcome === 'disputed')
      this.#delays.later(this.#delays.slowMilliseconds, () => this.dispute(order.id));
    if (outcome === 'refunded')
      this.#delays.later(this.#delays.slowMilliseconds, () => this.refund(order.id));
    return true;
  }

  endCapture(order: WalletOrder, status: 'COMPLETED' | 'DECLINED'): void {
    const capture = this.#captureOf(order);
    capture.status = status;
    this.#emit(
      `PAYMENT.CAPTURE.${status === 'COMPLETED' ? status : 'DENIED'}`,
      this.#resource(order, capture),
    );
  }

  refund(id: string, value = this.get(id).amount.value): Transaction {
    const order = this.get(id);
    const refund = this.#addRefund(order, value);
    this.#emit('PAYMENT.CAPTURE.REFUNDED', { ...refund, custom_id: order.customId });
    return refund;
  }

  dispute(id: string): WalletDispute {
    const order = this.get(id);
    const time = this.#nextTime();
    const dispute: WalletDispute = {
      dispute_id: `PP-D-${newId(8)}`,
      create_time: time,
      update_time: time,
      status: 'WAITING_FOR_SELLER_RESPONSE',
      dispute_amount: this.#captureOf(order).amount,
      disputed_transactions: [
        { seller_transaction_id: this.#captureOf(order).id, custom: order.customId },
      ],
    };
    this.disputes.push(dispute);
    this.#emit('CUSTOMER.DISPUTE.CREATED', dispute);
    return dispute;
  }

  /**
   * A lost dispute takes everything, or what the seller has offered. The capture lists that as a
   * refund.
   */
  closeDispute(dispute: WalletDispute, isWon: boolean, offered?: string): void {
    const [about] = dispute.disputed_transactions;
    const order = about && this.orderOf(about.seller_transaction_id);
    if (order && !isWon) {
      const refund = this.#addRefund(order, offered ?? dispute.dispute_amount.value);
      this.#emit('PAYMENT.CAPTURE.REVERSED', refund);
    }
    dispute.status = 'RESOLVED';
    dispute.update_time = this.#nextTime();
    dispute.dispute_outcome = {
      outcome_code: isWon ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR',
      ...(offered && { amount_refunded: { ...dispute.dispute_amount, value: offered } }),
    };
    this.#emit('CUSTOMER.DISPUTE.RESOLVED', dispute);
  }

  orderOf(captureId: string): WalletOrder | undefined {
    return [...this.all.values()].find(({ captures }) =>
      captures.some(({ id }) => id === captureId),
    );
  }

  get(id: string): WalletOrder {
    const order = this.all.get(id);
    if (!order) throw new Error(`No order ${id}`);
    return order;
  }

  #addRefund({ amount, refunds }: WalletOrder, value: string): Transaction {
    const refund = {
      id: newId(),
      status: 'COMPLETED',
      amount: { ...amount, value },
      create_time: this.#nextTime(),
    };
    refunds.push(refund);
    return refund;
  }

  /** PayPal tells times in seconds. Tests act faster. */
  #nextTime(): string {
    this.#time = Math.max(Date.now(), this.#time + 1000);
    return `${new Date(this.#time).toISOString().slice(0, 19)}Z`;
  }

  #captureOf(order: WalletOrder): Transaction {
    const capture = order.captures.at(-1);
    if (!capture) throw new Error(`The order ${order.id} is not captured.`);
    return capture;
  }

  #resource(order: WalletOrder, capture: Transaction): object {
    return {
      ...capture,
      custom_id: order.customId,
      supplementary_data: { related_ids: { order_id: order.id } },
    };
  }
}
