import type { PaymentMethod, SiteSettings } from '@rowmill/contract';
import * as texts from '../../../texts/billing.ts';

export interface PaymentOption {
  id: PaymentMethod;
  label: string;
  hint: string;
  /** Why the method is unavailable. */
  missing: string | null;
}

/** Payment methods that this installation offers. */
export function paymentMethods({
  stripe,
  paypal,
  test_cards,
  test_wallet,
}: SiteSettings['payments']): PaymentOption[] {
  const isRealCard = stripe.publishable_key !== null;
  const isRealWallet = paypal.client_id !== null;
  return [
    {
      id: 'card',
      ...(isRealCard || !test_cards ? texts.cardMethod : texts.testCardMethod),
      missing: isRealCard || test_cards ? null : texts.methodMissing,
    },
    {
      id: 'wallet',
      ...(isRealWallet || !test_wallet ? texts.walletMethod : texts.testWalletMethod),
      missing: isRealWallet || test_wallet ? null : texts.methodMissing,
    },
  ];
}
