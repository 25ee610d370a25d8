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

/** What a provider has answered to one question about a payment. */
export interface Said {
  ref: string;
  /** Null: it knows no such payment. Undefined: its answer did not arrive. */
  snapshot: PaymentSnapshot | null | undefined;
  /** What was made of it was undone by a crash. */
  isLost: boolean;
}

export const declined = 'The payment method was declined.';

/** Both providers, in memory: they do what they are told, and remember what they have said. */
export class FakeGateway {
  readonly payments: GatewayPayment[] = [];
  /** In the order in which the product has asked. */
  said: Said[] = [];
  readonly #givenBack = new Set<string>();
  readonly #faults: Faults;
  #number = 0;

  constructor(faults: Faults) {
    this.#faults = faults;
    faults.onCrash = () => {
      const last = this.said.at(-1);
      if (last) last.isLost = true;
    };
  }

  provider(name: ProviderName): PaymentProvider {
    return {
      name,
      methods: methods[name],
      open: async (payment) => this.#reach(() => this.#open(name, payment)),
      find: async (ref) => this.#find(ref),
      refund: async (request) => this.#reach(() => this.#refund(request)),
      capture: async (ref) => this.#reach(() => this.#capture(ref)),
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
    this.#givenBack.clear();
    this.said = [];
  }

  /** A call may be lost on the way there, or its answer on the way back. */
  #reach<T>(call: () => T): T {
    this.#faults.pass();
    const answer = call();
    this.#faults.pass();
    return answer;
  }

  /** The same payment is opened once, however often it is asked for. */
  #open(
    provider: ProviderName,
    { paymentId, orderId, userId, totalMinor, currency }: NewPayment,
  ): OpenPayment {
    const known = this.payments.find((payment) => payment.paymentId === paymentId);
    if (known) return copyOf(known);
    const ref = this.newRef(provider);
    const forPerson = {
      merchant: null,
      clientSecret: `secret of ${ref}`,
      approveUrl: `page of ${ref}`,
    };
    const asked = {
      provider,
      paymentId,
      orderId,
      userId,
      amountMinor: totalMinor,
      currency,
      isLive: false,
    };
    this.payments.push({
      ...forPerson,
      ...asked,
      ref,
      state: 'pending',
      problem: null,
      reversals: [],
      onCapture: 'pay',
    });
    return { ref, ...forPerson };
  }

  /** The same key gives back once, and never more than is there. */
  #refund({ ref, amountMinor, key }: RefundRequest): void {
    const payment = this.get(ref);
    if (!payment || this.#givenBack.has(key)) return;
    this.#givenBack.add(key);
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
    const said: Said = { ref, snapshot: undefined, isLost: false };
    this.said.push(said);
    this.#faults.pass();
    const payment = this.get(ref);
    said.snapshot = payment ? copyOf(payment) : null;
    return said.snapshot;
  }

  #capture(ref: string): void {
    const payment = this.get(ref);
    if (payment?.state !== 'approved') return;
    if (payment.onCapture === 'decline') {
      this.said.push({
        ref,
        snapshot: { ...copyOf(payment), state: 'failed', problem: declined },
        isLost: false,
      });
      Object.assign(payment, { state: 'pending', onCapture: 'pay' });
      throw new PaymentRefused(declined);
    }
    payment.state = 'paid';
    if (payment.onCapture === 'pay_less') payment.amountMinor -= 1;
  }
}

export function copyOf({
  provider: _,
  paymentId: __,
  onCapture: ___,
  ...snapshot
}: GatewayPayment): PaymentSnapshot {
  return { ...snapshot, reversals: snapshot.reversals.map((reversal) => ({ ...reversal })) };
}

/** The seal stands for the signature. */
export function messageOf(event: ProviderEvent, seal = 'genuine'): EventMessage {
  return { body: Buffer.from(JSON.stringify(event)), headers: { seal } };
}

function readEvent({ body, headers }: EventMessage): ProviderEvent {
  if (headers.seal !== 'genuine') throw new EventRefused('the seal is broken');
  return JSON.parse(body.toString('utf8')) as ProviderEvent;
}
