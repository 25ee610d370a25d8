import { expect, it } from 'vitest';
import { describePrices } from './offer.tsx';

const plan = (price_minor: number, submissions: number) => ({
  price_minor,
  submissions,
  currency: 'GBP',
});

it.each([
  [
    'a free and two paid plans',
    [plan(0, 25), plan(1200, 1000), plan(3000, 5000)],
    'Free plan, no card. £0.60 to £1.20 per 100 submissions.',
  ],
  ['one paid plan', [plan(1200, 1000)], '£1.20 per 100 submissions.'],
  ['a free plan only', [plan(0, 25)], 'Free plan, no card.'],
  ['a plan without submissions', [plan(1200, 0)], ''],
  ['no plan', [], ''],
])('names the price with %s', (_, plans, line) => {
  expect(describePrices(plans)).toBe(line);
});
