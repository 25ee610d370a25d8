import { randomBytes } from 'node:crypto';

export interface Money {
  currency_code: string;
  value: string;
}

interface Transaction {
  id: string;
  status: string;
  amount: Money;
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
  /** What the person wishes to happen when the money is taken. */
  wish: Wish;
}

export interface WalletDispute {
  dispute_id: string;
  status: 'WAITING_FOR_SELLER_RESPONSE' | 'RESOLVED';
  dispute_amount: Money;
  dispute_outcome?: { outcome_code: 'RESOLVED_BUYER_FAVOUR' | 'RESOLVED_SELLER_FAVOUR' };
  disputed_transactions: { seller_transaction_id: string; custom: string }[];
}

/** What the test page offers; `pay` is the usual case. */
export const wishes = {
  pay: 'Pay',
  decline: 'Have it declined',
  pending: 'Pay, but the wallet takes some seconds to check it',
  late: 'Pay, and the message about it comes late',
  duplicated: 'Pay, and every message comes three times',
  wrong_amount: 'Pay a wrong amount',
  disputed: 'Pay, and dispute it',
  refunded: 'Pay, and have it refunded',
} as const;
export type Wish = keyof typeof wishes;

export const newId = (length = 17) =>
  randomBytes(length).toString('hex').slice(0, length).toUpperCase();

export type Tell = (
  type: string,
  resource: object,
  manner?: { times?: number; afterMilliseconds?: number },
) => void;

interface Pace {
  slowMilliseconds: number;
  later(milliseconds: number, act: () => void): void;
}

/** All that the wallet knows of orders, and what can happen to them. Each happening is told. */
export class WalletOrders {
  readonly all = new Map<string, WalletOrder>();
  readonly disputes: WalletDispute[] = [];
  /** In these words refunds that are asked for by the API are refused. */
  noRefunds: string | null = null;
  readonly #tell: Tell;
  readonly #pace: Pace;

  constructor(tell: Tell, pace: Pace) {
    this.#tell = tell;
    this.#pace = pace;
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
      wish: 'pay',
    };
    this.all.set(made.id, made);
    return made;
  }

  approve(id: string, wish: Wish = 'pay'): WalletOrder {
    const order = this.get(id);
    if (order.status === 'PAYER_ACTION_REQUIRED') {
      Object.assign(order, { status: 'APPROVED', wish });
      this.#tell('CHECKOUT.ORDER.APPROVED', {
        id,
        purchase_units: [{ custom_id: order.customId }],
      });
    }
    return order;
  }

  /** Takes the money; false when the funding source declines, and the person has to choose again. */
  capture(order: WalletOrder): boolean {
    const { wish } = order;
    if (wish === 'decline') {
      order.status = 'PAYER_ACTION_REQUIRED';
      return false;
    }
    const amount = wish === 'wrong_amount' ? { ...order.amount, value: '0.01' } : order.amount;
    const capture = { id: newId(), status: wish === 'pending' ? 'PENDING' : 'COMPLETED', amount };
    order.captures.push(capture);
    order.status = 'COMPLETED';
    const manner = {
      ...(wish === 'duplicated' ? { times: 3 } : {}),
      ...(wish === 'late' ? { afterMilliseconds: this.#pace.slowMilliseconds } : {}),
    };
    this.#tell(`PAYMENT.CAPTURE.${capture.status}`, this.#resource(order, capture), manner);
    if (wish === 'pending')
      this.#pace.later(this.#pace.slowMilliseconds, () => this.endCapture(order, 'COMPLETED'));
    if (wish === 'disputed')
      this.#pace.later(this.#pace.slowMilliseconds, () => this.dispute(order.id));
    if (wish === 'refunded')
      this.#pace.later(this.#pace.slowMilliseconds, () => this.refund(order.id));
    return true;
  }

  endCapture(order: WalletOrder, status: 'COMPLETED' | 'DECLINED'): void {
    const capture = this.#captureOf(order);
    capture.status = status;
    this.#tell(
      `PAYMENT.CAPTURE.${status === 'COMPLETED' ? status : 'DENIED'}`,
      this.#resource(order, capture),
    );
  }

  refund(id: string, value = this.get(id).amount.value): Transaction {
    const order = this.get(id);
    const refund = { id: newId(), status: 'COMPLETED', amount: { ...order.amount, value } };
    order.refunds.push(refund);
    this.#tell('PAYMENT.CAPTURE.REFUNDED', {
      id: refund.id,
      custom_id: order.customId,
      amount: refund.amount,
    });
    return refund;
  }

  dispute(id: string): WalletDispute {
    const order = this.get(id);
    const dispute: WalletDispute = {
      dispute_id: `PP-D-${newId(8)}`,
      status: 'WAITING_FOR_SELLER_RESPONSE',
      dispute_amount: order.amount,
      disputed_transactions: [
        { seller_transaction_id: this.#captureOf(order).id, custom: order.customId },
      ],
    };
    this.disputes.push(dispute);
    this.#tell('CUSTOMER.DISPUTE.CREATED', dispute);
    return dispute;
  }

  closeDispute(dispute: WalletDispute, isWon: boolean): void {
    dispute.status = 'RESOLVED';
    dispute.dispute_outcome = {
      outcome_code: isWon ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR',
    };
    this.#tell('CUSTOMER.DISPUTE.RESOLVED', dispute);
  }

  get(id: string): WalletOrder {
    const order = this.all.get(id);
    if (!order) throw new Error(`No order ${id}`);
    return order;
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
