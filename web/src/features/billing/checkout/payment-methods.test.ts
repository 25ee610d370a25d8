import { expect, it } from 'vitest';
import { paymentMethods } from './payment-methods.ts';

const none = {
  stripe: { publishable_key: null },
  paypal: { client_id: null },
  test_cards: false,
  test_wallet: false,
};

it.each([
  ['nothing is set up', none, []],
  [
    'keys are set',
    { ...none, stripe: { publishable_key: 'pk' }, paypal: { client_id: 'id' } },
    ['Card', 'PayPal'],
  ],
  ['it is a demo', { ...none, test_cards: true, test_wallet: true }, ['Test card', 'Test wallet']],
  ['only the wallet has a key', { ...none, paypal: { client_id: 'id' } }, ['PayPal']],
  [
    'a key stands beside the demo',
    { ...none, stripe: { publishable_key: 'pk' }, test_cards: true },
    ['Card'],
  ],
])('offers what can be paid with when %s', (_, payments, labels) => {
  const usable = paymentMethods(payments).filter(({ missing }) => missing === null);
  expect(usable.map(({ label }) => label)).toEqual(labels);
});
