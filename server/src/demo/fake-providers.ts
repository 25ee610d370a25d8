import { connectPaymentProviders } from '../adapters/payments/payment-providers.ts';
import { paypalPayments } from '../adapters/payments/paypal-payments.ts';
import type { Config } from '../config/config.ts';
import type { PaymentProvider } from '../domains/billing/port.ts';
import { newSecret } from '../lib/ids.ts';

interface FakeProvider extends AsyncDisposable {
  provider: PaymentProvider;
  url: string;
  sender: { deliverTo(url: string): void };
}

/**
 * By provider. Loaded on demand, so that an installation with keys needs no fakes. Their pages are
 * at the address at which the buyer is signed in, so that a form there may lead back to it.
 */
const fakeProviders: Record<string, () => Promise<FakeProvider>> = {
  stripe: async () => {
    const { startFakeStripe } = await import('@rowmill/fakes/stripe/server.ts');
    const { stripePayments } = await import('../adapters/payments/stripe-payments.ts');
    const secrets = { secretKey: `sk_test_${newSecret()}`, webhookSecret: `whsec_${newSecret()}` };
    const fake = await startFakeStripe({ ...secrets, pages: '/dev/stripe' });
    return { ...fake, provider: stripePayments({ ...secrets, apiBase: fake.url }) };
  },
  paypal: async () => {
    const { startFakePaypal } = await import('@rowmill/fakes/paypal/server.ts');
    const secrets = { clientId: newSecret(), clientSecret: newSecret(), webhookId: newSecret() };
    const fake = await startFakePaypal({ ...secrets, pages: '/dev/paypal' });
    return { ...fake, provider: paypalPayments({ ...secrets, apiBase: fake.url }) };
  },
};

export type PaymentProviders = Awaited<ReturnType<typeof openPaymentProviders>>;

/** The providers that are set up, and in the demo fakes of the others. */
export async function openPaymentProviders(config: Config) {
  await using stack = new AsyncDisposableStack();
  const payments = new Map<string, PaymentProvider>();
  for (const provider of await connectPaymentProviders(config.payments))
    payments.set(provider.name, provider);
  const fakes: FakeProvider[] = [];
  for (const [name, start] of Object.entries(fakeProviders)) {
    if (!config.demo || payments.has(name)) continue;
    const fake = stack.use(await start());
    payments.set(name, fake.provider);
    fakes.push(fake);
  }
  const opened = stack.move();
  return {
    payments,
    /** Where the pages of the fakes are, by the folder under which the site shows them. */
    testPages: Object.fromEntries(fakes.map(({ provider, url }) => [provider.name, url])),
    /** The fakes send their webhooks to this site. */
    reportTo: (url: string) => {
      for (const { provider, sender } of fakes)
        sender.deliverTo(`${url}/webhooks/${provider.name}`);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
