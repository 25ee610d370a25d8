import type { PaymentProvider } from '../../domains/billing/port.ts';
import type { PaypalOptions } from './paypal-client.ts';
import { paypalPayments } from './paypal-payments.ts';
import type { StripeOptions } from './stripe-payments.ts';

/** The settings of every supported provider; null for those without keys. */
interface ProviderSettings {
  stripe: StripeOptions | null;
  paypal: PaypalOptions | null;
}

/** The registry of providers. Each adapter names itself and the payment methods it offers. */
export async function connectPaymentProviders({
  stripe,
  paypal,
}: ProviderSettings): Promise<PaymentProvider[]> {
  const providers = [
    // Its library is large, so it is only loaded when it is configured.
    stripe && (await import('./stripe-payments.ts')).stripePayments(stripe),
    paypal && paypalPayments(paypal),
  ];
  return providers.filter((provider) => provider !== null);
}
