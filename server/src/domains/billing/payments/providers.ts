import type { PaymentMethod } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import * as texts from '../../../texts/billing.ts';
import { type PaymentProvider, PaymentRefused, ProviderUnavailable } from '../port.ts';
import type { PaymentRow } from '../store/payments.ts';

/** The provider that takes new payments by this method. */
export function providerForMethod(ctx: Context, method: PaymentMethod): PaymentProvider {
  const found = [...ctx.payments.values()].find(({ methods }) => methods.includes(method));
  if (!found) refuse('not_now', { message: texts.methodUnavailable(method) });
  return found;
}

/** The provider that holds an existing payment. */
export function providerOf(ctx: Context, { provider }: PaymentRow): PaymentProvider {
  const found = ctx.payments.get(provider);
  if (!found) refuse('not_now', { message: texts.providerNotSetUp });
  return found;
}

/** Turns the errors of a provider into refusals that the caller can act on. */
export async function asRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PaymentRefused) refuse('payment_refused', { message: error.message });
    if (error instanceof ProviderUnavailable)
      refuse('busy', { message: texts.providerUnavailable, retryAfterSeconds: 5 });
    throw error;
  }
}
