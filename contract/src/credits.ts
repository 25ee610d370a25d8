import * as z from 'zod/mini';
import { call } from './endpoint.ts';
import {
  count,
  currency,
  debt,
  givenInstant,
  id,
  line,
  minor,
  namedPerson,
  switchedAs,
} from './fields.ts';
import { taxIncluded } from './plans.ts';

/** `rate_minor` is the price of the whole pack, including tax. */
export const creditPack = z.object({
  id,
  name: z.string(),
  count,
  rate_minor: minor,
  currency,
  /** Compared with the highest price per submission in the list. */
  saving_percent: z.int(),
});
export type CreditPack = z.infer<typeof creditPack>;

export const listCreditsAvailableForPurchase = call({
  host: 'plan',
  path: '/api/listCreditsAvailableForPurchase',
  summary: 'The packs of submissions on sale.',
  body: [],
  answer: z.object({ credits: z.array(creditPack), tax: taxIncluded }),
});

export const updateCreditCount = call({
  host: 'plan',
  path: '/api/updateCreditCount',
  summary:
    'For a client: credits their paid orders. For an admin: gives submissions to one of their clients, or takes them back, with a reason.',
  idempotent: true,
  request: z.object({
    user_id: z.optional(id),
    change: z.optional(
      z
        .int('Must be a whole number.')
        .check(z.gte(-1_000_000_000, 'Too small.'), z.lte(1_000_000_000, 'Too large.')),
    ),
    reason: z.optional(line(200)),
  }),
  answer: z.object({ creditsAvailable: count }),
  refusals: ['not_found', 'insufficient_credits'],
});

export const getAvailableCredits = call({
  path: '/api/emedia/getAvailableCredits',
  summary:
    'The submissions that a person can use, and how many of them the caller can take back, if asked.',
  actAs: 'creditUser',
  body: ['creditUser'],
  request: z.object({
    creditUser: namedPerson,
    can_take_back: z.optional(z.boolean()),
    switchedAs,
  }),
  answer: z.object({ creditsAvailable: count, debt, can_take_back: z.optional(count) }),
});

/** The days that one request may count. */
const usageDaysLimit = 31;

export const getUsage = call({
  path: '/api/emedia/getUsage',
  summary:
    'The submissions charged on each day, and how many rows and single prompts were answered or failed so far. `days` has the start of each day, oldest first: a day lasts until the next, the last until now.',
  request: z.object({
    /** When each day starts in the reader’s time zone. */
    days: z.array(givenInstant).check(
      z.minLength(1),
      z.maxLength(usageDaysLimit),
      z.refine(
        (days) =>
          days.every((day, at) => at === 0 || Date.parse(day) > Date.parse(days[at - 1] ?? '')),
        'The days must be in order.',
      ),
    ),
    switchedAs,
  }),
  answer: z.object({ charged: z.array(count), answered: count, failed: count }),
});
