import * as z from 'zod/mini';
import { call } from './endpoint.ts';
import { count, currency, id, instant, minor, namedPerson, switchedAs } from './fields.ts';
import { billingAddress } from './identity.ts';

export const plan = z.object({
  id,
  name: z.string(),
  price_minor: minor,
  currency,
  period_days: z.nullable(z.int()),
  submissions: count,
  features: z.array(z.string()),
  highlighted: z.boolean(),
});
export type Plan = z.infer<typeof plan>;

/** The plan of a person, with the terms they bought. */
export const userPlan = z.extend(plan, {
  user_id: id,
  started_at: instant,
  ends_at: z.nullable(instant),
});
export type UserPlan = z.infer<typeof userPlan>;

/** Plans that are bought already. Each starts when the one before it ends. */
const nextPlans = z.array(userPlan);

/** The tax that every price includes. */
export const taxIncluded = z.object({ name: z.string(), percent: z.number() });
export type TaxIncluded = z.infer<typeof taxIncluded>;

export const getPlans = call({
  host: 'plan',
  path: '/api/getPlans',
  summary: 'The plans on sale.',
  who: 'anyone',
  body: [],
  answer: z.object({ plans: z.array(plan), tax: taxIncluded }),
});

export const getUserPlan = call({
  path: '/api/getUserPlan',
  summary:
    'The current plan of a person and the plans that follow it. Without one the status is false and the message says so.',
  actAs: 'user_id',
  body: ['user_id'],
  request: z.object({ user_id: z.optional(id) }),
  answer: z.object({
    status: z.boolean(),
    plan: z.nullable(userPlan),
    next_plans: nextPlans,
    billing_address: billingAddress,
    /** Whether the person has had a plan before, which may have ended. */
    had_plan: z.boolean(),
    message: z.string(),
  }),
});

export const getUsersPlan = call({
  path: '/api/getUsersPlan',
  summary: 'The current plans of an admin’s clients, and the plans that follow them.',
  requires: 'manageClients',
  answer: z.object({ plans: z.array(userPlan), next_plans: nextPlans }),
});

export const setPlan = call({
  path: '/api/emedia/setPlan',
  summary:
    'Starts a free plan, or returns the plan that an order has paid for. When no client is named, it is for the `user_id` of the plan.',
  idempotent: 'outside',
  request: z.object({
    id,
    order_id: z.optional(z.nullable(id)),
    user_id: namedPerson,
    switchedAs,
  }),
  answer: z.object({ plan: userPlan }),
  refusals: ['not_found', 'not_paid', 'not_now', 'payment_refused'],
});
