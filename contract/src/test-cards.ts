import * as z from 'zod/mini';
import { secret } from './fields.ts';

/**
 * The demo's way to pay a card intent, where no keys are set (`payments.test_cards` in the settings). It is not part of
 * the API: the site itself answers it, same-origin, without a session, and only in the demo.
 *
 *   POST /dev/stripe/pay  { client_secret, number, return_path }
 *   200  { status: true, outcome, next_url?, message? }      422  { status: false, message }  no test card
 *
 * `outcome`: `paid` and `pending`: call `confirmPayment`. `declined`: `message` says why, another card may be tried with the
 * same `client_secret`. `requires_action`: the page goes to `next_url` (a page that asks to approve, as a bank would), which
 * leads back to `return_path` with `order_id=…` added to its query, approved or not; then `confirmPayment` tells.
 */
export const testCardPath = '/dev/stripe/pay';

export const testCardRequest = z.object({
  client_secret: secret,
  /** Digits; spaces do not matter. */
  number: z.string().check(z.maxLength(40)),
  /** A path of our own, such as `/checkout`. */
  return_path: z.string().check(z.maxLength(200), z.regex(/^\/(?!\/)[\w/?=&.-]*$/)),
});

export const testCardAnswer = z.object({
  status: z.literal(true),
  outcome: z.enum(['paid', 'pending', 'declined', 'requires_action']),
  next_url: z.optional(z.string()),
  message: z.optional(z.string()),
});
export type TestCardAnswer = z.infer<typeof testCardAnswer>;

/** Every card that the demo knows, for its form to offer. No other number is taken, so no real card can be entered. */
export const testCards = [
  { number: '4242424242424242', label: 'is paid' },
  { number: '4000000000000002', label: 'is declined' },
  { number: '4000000000009995', label: 'is declined: not enough money' },
  { number: '4000002500003155', label: 'asks for approval (3-D Secure)' },
  { number: '4000000000000077', label: 'is pending, and paid after some seconds' },
  { number: '4000000000000127', label: 'is paid, and the message about it comes late' },
  { number: '4000000000000119', label: 'is paid, and every message about it comes three times' },
  { number: '4000000000000069', label: 'is paid with a wrong amount' },
  { number: '4000000000000259', label: 'is paid, and disputed' },
  { number: '4000000000007726', label: 'is paid, and refunded' },
] as const;
