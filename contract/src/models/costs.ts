import * as z from 'zod/mini';
import { tokens } from '../answers/tokens.ts';
import { call } from '../endpoint.ts';
import { count, currency } from '../fields.ts';

export const costGroups = ['day', 'model', 'client'] as const;
export type CostGroup = (typeof costGroups)[number];
const mostDays = 366;

/**
 * What the rows and single prompts of a day, a model or a client took and brought. Amounts are in
 * minor units, with fractions.
 */
export const costRow = z.object({
  /** A date, the name of a model, or an id; `others` for the sum of what is beyond 500 rows. */
  key: z.string(),
  label: z.string(),
  answers: count,
  submissions: count,
  tokens,
  /** By the costs that the models had when they answered. */
  cost_minor: z.number(),
  /** Answers of unknown cost, not in the sum: the model had no costs, or no tokens were counted. */
  unknown_costs: count,
  /** By what a submission was sold for on average. Null: none was sold. */
  revenue_minor: z.nullable(z.number()),
});
export type CostRow = z.infer<typeof costRow>;

export const getCosts = call({
  path: '/api/getCosts',
  summary:
    'Tokens, cost and revenue of the last `days` by day, model or client, in at most 500 rows.',
  requires: 'viewInstallation',
  request: z.object({
    by: z.enum(costGroups, 'Choose day, model or client.'),
    days: z
      .int('Must be a whole number.')
      .check(z.gte(1, 'At least 1.'), z.lte(mostDays, `At most ${mostDays}.`)),
  }),
  answer: z.object({ rows: z.array(costRow), currency }),
});
