import {
  fetchUserDetail,
  getPlans,
  listCreditsAvailableForPurchase,
  userBillingAddress,
} from '@rowmill/contract';
import { useRef } from 'react';
import { addressIn } from '../../../entities/billing-address/address-fields.tsx';
import { cacheBillingAddress } from '../../../entities/billing-address/query.ts';
import { call } from '../../../lib/api/api-client.ts';
import { type KeyedRequest, mayHaveRun, withKey } from '../../../lib/api/idempotency.ts';
import { invalidate } from '../../../lib/api/query.ts';
import { Refusal } from '../../../lib/api/refusal.ts';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';
import { isActingAsSelf } from '../../../lib/session.ts';
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
  const pending = useRef<KeyedRequest | null>(null);
  return useSubmit({
    endpoint: userBillingAddress,
    send: async (values) => {
      const address = addressIn(values);
      refuseIncomplete(missingIn(address));
      await keepAddress(address);
      const method = values.method === 'wallet' ? 'wallet' : 'card';
      const opening = { sale, method, address } as const;
      pending.current = withKey(JSON.stringify(opening), pending.current);
      const payment = await openPayment(opening, pending.current.key).catch((error) => {
        if (!mayHaveRun(error)) pending.current = null;
        throw aboutTheSale(error);
      });
      pending.current = null;
      cacheOpenPayment(payment);
      await onOpened(payment);
    },
  });
}

/** Mimics the server's refusal, so that each problem appears beside its field. */
function refuseIncomplete(fields: Record<string, string>): void {
  if (Object.keys(fields).length === 0) return;
  const message = texts.addressIncomplete;
  throw new Refusal(
    422,
    { status: false, code: 'invalid_input', message, request_id: '', fields },
    null,
  );
}

/** Problems of cart lines and plans have no form field: show them as one message and refetch the offer. */
function aboutTheSale(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const words = Object.entries(error.fields).filter(([field]) => /^(items|plan)\b/.test(field));
  if (words.length === 0) return error;
  void invalidate(listCreditsAvailableForPurchase);
  void invalidate(getPlans);
  return new Error([...new Set(words.map(([, problem]) => problem))].join(' '), { cause: error });
}

async function keepAddress(address: Parameters<typeof missingIn>[0]): Promise<void> {
  const { billing_address } = await call(userBillingAddress, { billing_address: address });
  cacheBillingAddress(billing_address);
  void invalidate(fetchUserDetail);
  const standing = { user: storage.read('currentUser'), switchedAs: storage.read('switchedAs') };
  if (isActingAsSelf(standing)) storage.write('billingAddress', billing_address);
}
