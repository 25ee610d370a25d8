import { type BillingAddress, billingAddress } from '@rowmill/contract';
import * as z from 'zod/mini';

const key = 'addressDraft';
const shape = z.object({ user_id: z.string(), address: billingAddress });

/** Keeps an address that is being typed, so that it survives a reload. It ends with the tab. */
export function saveAddressDraft(userId: string, address: BillingAddress): void {
  sessionStorage.setItem(key, JSON.stringify({ user_id: userId, address }));
}

export function addressDraft(userId: string): BillingAddress | null {
  try {
    const parsed = shape.safeParse(JSON.parse(sessionStorage.getItem(key) ?? 'null'));
    return parsed.success && parsed.data.user_id === userId ? parsed.data.address : null;
  } catch {
    return null;
  }
}

export function forgetAddressDraft(): void {
  sessionStorage.removeItem(key);
}
