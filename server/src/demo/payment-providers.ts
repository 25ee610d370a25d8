import { paypalPayments } from '../adapters/paypal-payments.ts';
import { stripePayments } from '../adapters/stripe-payments.ts';
import type { Config } from '../config/config.ts';
import type { Context } from '../core/context.ts';
import type { PaymentProvider } from '../domains/billing/port.ts';
import { newSecret } from '../lib/ids.ts';

interface FakeProvider extends AsyncDisposable {
  provider: PaymentProvider;
  url: string;
  sender: { deliverTo(url: string): void };
}

interface Registration {
  /** Null without keys in the settings. */
  connect(config: Config): PaymentProvider | null;
  /** Stands in for the provider in the demo. Loaded on demand, so that an installation with keys needs no fakes. */
  startFake(config: Config): Promise<FakeProvider>;
}

/** Every provider that the product supports, with the payment methods its adapter names. */
const registry: readonly Registration[] = [
  {
    connect: ({ payments }) => payments.stripe && stripePayments(payments.stripe),
    startFake: async ({ http }) => {
      const { startFakeStripe } = await import('@rowmill/fakes/stripe/server.ts');
      const secrets = {
        secretKey: `sk_test_${newSecret()}`,
        webhookSecret: `whsec_${newSecret()}`,
      };
      const fake = await startFakeStripe({ ...secrets, pages: `${http.publicUrl}/dev/stripe` });
      return { ...fake, provider: stripePayments({ ...secrets, apiBase: fake.url }) };
    },
  },
  {
    connect: ({ payments }) => payments.paypal && paypalPayments(payments.paypal),
    startFake: async ({ http }) => {
      const { startFakePaypal } = await import('@rowmill/fakes/paypal/server.ts');
      const secrets = { clientId: newSecret(), clientSecret: newSecret(), webhookId: newSecret() };
      const fake = await startFakePaypal({ ...secrets, pages: `${http.publicUrl}/dev/paypal` });
      return { ...fake, provider: paypalPayments({ ...secrets, apiBase: fake.url }) };
    },
  },
];

export interface PaymentProviders extends AsyncDisposable {
  payments: Context['payments'];
  /** Where the pages of the fakes are, by the folder under which the site shows them. */
  testPages: Record<string, string>;
  /** The fakes send their webhooks to this site. */
  reportTo(url: string): void;
}

/** The providers that are set up, and in the demo fakes for the others. */
export async function openPaymentProviders(config: Config): Promise<PaymentProviders> {
  await using stack = new AsyncDisposableStack();
  const payments = new Map<string, PaymentProvider>();
  const fakes: FakeProvider[] = [];
  for (const { connect, startFake } of registry) {
    const connected = connect(config);
    const fake = !connected && config.demo ? stack.use(await startFake(config)) : null;
    if (fake) fakes.push(fake);
    const provider = connected ?? fake?.provider;
    if (provider) payments.set(provider.name, provider);
  }
  const opened = stack.move();
  return {
    payments,
    testPages: Object.fromEntries(fakes.map(({ provider, url }) => [provider.name, url])),
    reportTo: (url) => {
      for (const { provider, sender } of fakes)
        sender.deliverTo(`${url}/webhooks/${provider.name}`);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
