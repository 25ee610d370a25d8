import { paypalWallet } from './adapters/paypal-wallet.ts';
import { stripeCards } from './adapters/stripe-cards.ts';
import type { Config } from './config/config.ts';
import type { Context } from './context.ts';
import { newSecret } from './lib/ids.ts';

/** The providers that are set up, and in the demo those that only pretend. */
export interface PaymentProviders extends AsyncDisposable {
  payments: Context['payments'];
  /** Where the pages of those that pretend are, by the folder under which the site shows them. */
  testPages: Record<string, string>;
  /** Those that pretend report there, as the real ones would. */
  reportTo(url: string): void;
}

export async function openPaymentProviders(config: Config): Promise<PaymentProviders> {
  const { stripe, paypal } = config.payments;
  const card = stripe && stripeCards(stripe);
  const wallet = paypal && paypalWallet(paypal);
  const nothing = { testPages: {}, reportTo: () => {}, [Symbol.asyncDispose]: async () => {} };
  if (!config.demo || (card && wallet)) return { payments: { card, wallet }, ...nothing };
  await using stack = new AsyncDisposableStack();
  const testCard = card ? null : stack.use(await openTestCards(config));
  const testWallet = wallet ? null : stack.use(await openTestWallet(config));
  const opened = stack.move();
  return {
    payments: {
      card: card ?? testCard?.cards ?? null,
      wallet: wallet ?? testWallet?.wallet ?? null,
    },
    testPages: {
      ...(testCard ? { stripe: testCard.url } : {}),
      ...(testWallet ? { paypal: testWallet.url } : {}),
    },
    reportTo: (url) => {
      testCard?.sender.deliverTo(`${url}/webhooks/stripe`);
      testWallet?.sender.deliverTo(`${url}/webhooks/paypal`);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Loaded only here, so that a real installation needs nothing of it. */
async function openTestCards({ http }: Config) {
  const { startFakeStripe } = await import('../../fakes/stripe/server.ts');
  const secrets = { secretKey: `sk_test_${newSecret()}`, webhookSecret: `whsec_${newSecret()}` };
  const fake = await startFakeStripe({ ...secrets, pages: `${http.publicUrl}/dev/stripe` });
  return { ...fake, cards: stripeCards({ ...secrets, apiBase: fake.url }) };
}

async function openTestWallet({ http }: Config) {
  const { startFakePaypal } = await import('../../fakes/paypal/server.ts');
  const secrets = { clientId: newSecret(), clientSecret: newSecret(), webhookId: newSecret() };
  const fake = await startFakePaypal({ ...secrets, pages: `${http.publicUrl}/dev/paypal` });
  return { ...fake, wallet: paypalWallet({ ...secrets, apiBase: fake.url }) };
}
