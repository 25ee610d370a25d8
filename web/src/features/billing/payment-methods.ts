import type { PaymentProvider, SiteSettings } from '@rowmill/contract';

export interface PaymentMethod {
  id: PaymentProvider;
  label: string;
  hint: string;
  /** Why it cannot be chosen. */
  missing: string | null;
}

const missing = 'This is not set up here.';

/** The ways to pay, as the settings of this installation allow them. */
export function paymentMethods({ stripe, paypal, test_cards, test_wallet }: SiteSettings['payments']): PaymentMethod[] {
  const isRealCard = stripe.publishable_key !== null;
  const isRealWallet = paypal.client_id !== null;
  return [
    {
      id: 'card',
      label: isRealCard || !test_cards ? 'Card' : 'Test card',
      hint:
        isRealCard || !test_cards ? 'The data of the card go to the card provider only.' : 'A card of the demo. No money moves.',
      missing: isRealCard || test_cards ? null : missing,
    },
    {
      id: 'wallet',
      label: isRealWallet || !test_wallet ? 'PayPal' : 'Test wallet',
      hint:
        isRealWallet || !test_wallet ? 'You pay on the pages of PayPal and come back.' : 'A wallet of the demo. No money moves.',
      missing: isRealWallet || test_wallet ? null : missing,
    },
  ];
}
