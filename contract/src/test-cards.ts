import * as z from 'zod/mini';
import { secret } from './fields.ts';

/**
 * How the demo pays a card intent without keys (`payments.test_cards` in the settings). Not part of
 * the API: only the demo's own site answers it, on the same origin and without a session.
 *
 *   POST /dev/stripe/pay  { client_secret, number, return_path }
 *   200  { status: true, outcome, next_url?, message? }
 *   422  { status: false, message }: not a test card
 *
 * After `paid` and `pending`, call `confirmPayment`. `declined`: `message` says why, and the same
 * `client_secret` takes another card. `requires_action`: go to `next_url`, the demo's page of the
 * bank, which returns to `return_path` with `order_id=…`; then call `confirmPayment`.
 */
export const testCardPath = '/dev/stripe/pay';

export const testCardRequest = z.object({
  client_secret: secret,
  /** Digits; spaces are ignored. */
  number: z.string().check(z.maxLength(40)),
  /** A path of our site, such as `/checkout`. */
  return_path: z.string().check(z.maxLength(200), z.regex(/^\/(?!\/)[\w/?=&.-]*$/)),
});

export const testCardAnswer = z.object({
  status: z.literal(true),
  outcome: z.enum(['paid', 'pending', 'declined', 'requires_action']),
  next_url: z.optional(z.string()),
  message: z.optional(z.string()),
});
export type TestCardAnswer = z.infer<typeof testCardAnswer>;

/** The only numbers that the demo accepts, so no real card can be entered. */
export const testCards = [
  { number: '4242424242424242', label: 'is paid' },
  { number: '4000000000000002', label: 'is declined' },
  { number: '4000000000009995', label: 'is declined: insufficient funds' },
  { number: '4000002500003155', label: 'asks for approval (3-D Secure)' },
  { number: '4000000000000077', label: 'is pending, then paid after a few seconds' },
  { number: '4000000000000127', label: 'is paid, and its webhook arrives late' },
  { number: '4000000000000119', label: 'is paid, and each webhook arrives three times' },
  { number: '4000000000000069', label: 'is paid with the wrong amount' },
  { number: '4000000000000259', label: 'is paid, then disputed' },
  { number: '4000000000007726', label: 'is paid, then refunded' },
] as const;
