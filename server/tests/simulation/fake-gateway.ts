import {
  type EventMessage,
  EventRefused,
  type NewPayment,
  type OpenPayment,
  type PaymentProvider,
  PaymentRefused,
  type PaymentSnapshot,
  type ProviderEvent,
  type RefundRequest,
  type Reversal,
} from '../../src/domains/billing/port.ts';
import type { Faults } from './faults.ts';

const methods = { stripe: ['card'], paypal: ['wallet'] } as const;
type ProviderName = keyof typeof methods;

/** A payment as its provider knows it. */
export interface GatewayPayment extends Omit<PaymentSnapshot, 'reversals'> {
  provider: ProviderName;
  paymentId: string;
  reversals: Reversal[];
  /** What happens when an approved payment is captured. */
  onCapture: 'pay' | 'decline' | 'pay_less';
}

/** A provider's answer to one query about a payment. */
export interface GatewayAnswer {
  ref: string;
  /** Null: the provider does not know it. Undefined: the answer was lost. */
  snapshot: PaymentSnapshot | null | undefined;
  /** A crash rolled its effect back, or it only led to a capture. */
  isLost: boolean;
}

export const declined = 'The payment method was declined.';

/** Both providers in memory. They record what they answered. */
export class FakeGateway {
  readonly payments: GatewayPayment[] = [];
  /** In the order of the product's queries. */
  answers: GatewayAnswer[] = [];
  readonly #refundKeys = new Set<string>();
  readonly #faults: Faults;
  #number = 0;

  constructor(faults: Faults) {
    this.#faults = faults;
    faults.onCrash = () => {
      const last = this.answers.at(-1);
      if (last) last.isLost = true;
    };
  }

  provider(name: ProviderName): PaymentProvider {
    return {
      name,
      methods: methods[name],
      open: async (payment) => this.#call(() => this.#open(name, payment)),
      find: async (ref) => this.#find(ref),
      refund: async (request) => this.#call(() => this.#refund(request)),
      capture: async (ref) => {
        // The next answer takes the place of the one that led to the capture.
        const last = this.answers.at(-1);
        if (last?.ref === ref) last.isLost = true;
        return this.#call(() => this.#capture(ref));
      },
      readEvent: async (message) => readEvent(message),
    };
  }

  get(ref: string): GatewayPayment | undefined {
    return this.payments.find((payment) => payment.ref === ref);
  }

  newRef(kind: string): string {
    return `${kind}-${++this.#number}`;
  }

  forget(payment: GatewayPayment): void {
    this.payments.splice(this.payments.indexOf(payment), 1);
  }

  clear(): void {
    this.payments.length = 0;
    this.#refundKeys.clear();
    this.answers = [];
  }

  /** A crash may lose the request or the answer. */
  #call<T>(call: () => T): T {
    this.#faults.pass();
    const answer = call();
    this.#faults.pass();
    return answer;
  }

  /** Opening the same payment again returns the first one. */
  #open(
    provider: ProviderName,
    { paymentId, orderId, userId, totalMinor, currency }: NewPayment,
  ): OpenPayment {
    const known = this.payments.find((payment) => payment.paymentId === paymentId);
    if (known) return snapshotOf(known);
    const ref = this.newRef(provider);
    const links = {
      merchant: null,
      clientSecret: `secret of ${ref}`,
      approveUrl: `page of ${ref}`,
    };
    const details = {
      provider,
      paymentId,
      orderId,
      userId,
      amountMinor: totalMinor,
      currency,
      isLive: false,
    };
    this.payments.push({
      ...links,
      ...details,
      ref,
      state: 'pending',
      problem: null,
      awaitsBuyer: true,
      reversals: [],
      onCapture: 'pay',
    });
    return { ref, ...links };
  }

  /** Refunds once per key, and never more than is left. */
  #refund({ ref, amountMinor, key }: RefundRequest): void {
    const payment = this.get(ref);
    if (!payment || this.#refundKeys.has(key)) return;
    this.#refundKeys.add(key);
    const gone = payment.reversals.filter(
      ({ kind, state }) => kind === 'refund' && state !== 'returned',
    );
    const left = gone.reduce(
      (minor, reversal) => minor - reversal.amountMinor,
      payment.amountMinor,
    );
    if (amountMinor > left) throw new PaymentRefused('More than is left.');
    payment.reversals.push({
      ref: this.newRef('refund'),
      kind: 'refund',
      state: 'taken',
      amountMinor,
    });
  }

  #find(ref: string): PaymentSnapshot | null {
    const answers: GatewayAnswer = { ref, snapshot: undefined, isLost: false };
    this.answers.push(answers);
    this.#faults.pass();
    const payment = this.get(ref);
    answers.snapshot = payment ? snapshotOf(payment) : null;
    return answers.snapshot;
  }

  #capture(ref: string): void {
    const payment = this.get(ref);
    if (payment?.state !== 'approved') return;
    if (payment.onCapture === 'decline') {
      this.answers.push({
        ref,
        snapshot: { ...snapshotOf(payment), state: 'failed', problem: declined },
        isLost: false,
      });
      Object.assign(payment, { state: 'pending', awaitsBuyer: true, onCapture: 'pay' });
      throw new PaymentRefused(declined);
    }
    payment.state = 'paid';
    if (payment.onCapture === 'pay_less') payment.amountMinor -= 1;
  }
}

export function snapshotOf({
  provider: _,
  paymentId: __,
  onCapture: ___,
  ...snapshot
}: GatewayPayment): PaymentSnapshot {
  return { ...snapshot, reversals: snapshot.reversals.map((reversal) => ({ ...reversal })) };
}

/** The header `seal` replaces a signature. */
export function webhookOf(event: ProviderEvent, seal = 'genuine'): EventMessage {
  return { body: Buffer.from(JSON.stringify(event)), headers: { seal }, network: '192.0.2.1' };
}

function readEvent({ body, headers }: EventMessage): ProviderEvent {
  if (headers.seal !== 'genuine') throw new EventRefused('the seal is broken');
  return JSON.parse(body.toString('utf8')) as ProviderEvent;
}
