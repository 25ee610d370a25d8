import {
  fetchUserDetail,
  getPlans,
  listCreditsAvailableForPurchase,
  userBillingAddress,
} from '@rowmill/contract';
import { addressDraft } from '../../../entities/billing-address/address-draft.ts';
import { addressIn } from '../../../entities/billing-address/address-fields.tsx';
import { cacheBillingAddress } from '../../../entities/billing-address/query.ts';
import { call } from '../../../lib/api/api-client.ts';
import { invalidate } from '../../../lib/api/query.ts';
import { Refusal } from '../../../lib/api/refusal.ts';
import { InvalidFields, useForm } from '../../../lib/hooks/use-form.ts';
import { useIdempotencyKey } from '../../../lib/hooks/use-idempotency-key.ts';
import { isActingAsSelf, readIdentity } from '../../../lib/session.ts';
import { storage } from '../../../lib/storage.ts';
import * as texts from '../../../texts/billing.ts';
import { cacheOpenPayment, type OpenPayment, openPayment, type Sale } from '../api.ts';
import { missingIn } from './address-rules.ts';

interface Options {
  sale: Sale;
  onOpened: (payment: OpenPayment) => Promise<void>;
}

/** Saves the address and creates the order. Pressing twice orders once. */
export function useOpenPayment({ sale, onOpened }: Options) {
  const once = useIdempotencyKey();
  return useForm(async (values) => {
    const address = addressIn(values);
    const missing = missingIn(address);
    if (Object.keys(missing).length > 0) throw new InvalidFields(missing, texts.addressIncomplete);
    await saveAddress(address);
    const method = values.method === 'wallet' ? 'wallet' : 'card';
    const opening = { sale, method, address } as const;
    const payment = await once(opening, (key) => openPayment(opening, key)).catch((error) => {
      fetchOfferAgain(error);
      throw error;
    });
    cacheOpenPayment(payment);
    await onOpened(payment);
  });
}

/** After problems of cart lines and plans, which have no field. */
function fetchOfferAgain(error: unknown): void {
  if (!(error instanceof Refusal)) return;
  if (!Object.keys(error.fields).some((field) => /^(items|plan)\b/.test(field))) return;
  void invalidate(listCreditsAvailableForPurchase);
  void invalidate(getPlans);
}

async function saveAddress(address: Parameters<typeof missingIn>[0]): Promise<void> {
  const { billing_address } = await call(userBillingAddress, { billing_address: address });
  cacheBillingAddress(billing_address);
  addressDraft.forget();
  void invalidate(fetchUserDetail);
  const identity = readIdentity();
  if (isActingAsSelf(identity)) storage.write('billingAddress', billing_address);
}
