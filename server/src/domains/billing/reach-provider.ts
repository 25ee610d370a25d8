import type { PaymentProvider } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { type CardPayments, PaymentRefused, ProviderUnavailable } from './port.ts';

const names: Record<PaymentProvider, string> = {
  card: 'Payment by card',
  wallet: 'Payment by wallet',
};

export function providerFor(ctx: Context, provider: PaymentProvider): CardPayments {
  const found = ctx.payments[provider];
  if (!found) refuse('not_now', { message: `${names[provider]} is not set up here.` });
  return found;
}

/** For calls by a person: what the provider says becomes a refusal that he can act on. */
export async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PaymentRefused) refuse('payment_refused', { message: error.message });
    if (error instanceof ProviderUnavailable)
      refuse('busy', {
        message: 'The payment provider does not answer. Please try again in a moment.',
        retryAfterSeconds: 5,
      });
    throw error;
  }
}
