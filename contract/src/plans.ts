import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import {
  boundedObject,
  count,
  currency,
  id,
  instant,
  minor,
  nothing,
  switchedAs,
} from './fields.ts';
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

/** A plan in somebody's hands. */
export const userPlan = z.extend(plan, {
  user_id: id,
  started_at: instant,
  ends_at: z.nullable(instant),
});
export type UserPlan = z.infer<typeof userPlan>;

/** The part of every price that is tax. */
export const taxIncluded = z.object({ name: z.string(), percent: z.number() });
export type TaxIncluded = z.infer<typeof taxIncluded>;

export const getPlans = {
  host: 'plan',
  method: 'POST',
  path: '/api/getPlans',
  summary: 'The plans that can be chosen.',
  who: 'anyone',
  actAs: 'self',
  request: nothing,
  answer: z.object({ plans: z.array(plan), tax: taxIncluded }),
  refusals: [],
} as const satisfies Endpoint;

export const getUserPlan = {
  host: 'main',
  method: 'POST',
  path: '/api/getUserPlan',
  summary: 'The plan of a person. Without one the status is false and the message says so.',
  who: 'verified',
  actAs: 'user_id',
  request: z.object({ user_id: z.optional(id) }),
  answer: z.object({
    status: z.boolean(),
    plan: z.nullable(userPlan),
    billing_address: billingAddress,
    message: z.string(),
  }),
  refusals: ['not_found'],
} as const satisfies Endpoint;

export const getUsersPlan = {
  host: 'main',
  method: 'POST',
  path: '/api/getUsersPlan',
  summary: 'The plans of the own clients.',
  who: 'verified',
  requires: 'manageClients',
  actAs: 'self',
  request: nothing,
  answer: z.object({ plans: z.array(userPlan) }),
  refusals: [],
} as const satisfies Endpoint;

export const setPlan = {
  host: 'main',
  method: 'POST',
  path: '/api/emedia/setPlan',
  summary:
    'Takes a plan into use: a free one as it is, a paid one with the order that paid for it.',
  who: 'verified',
  actAs: 'switchedAs',
  idempotent: 'outside',
  request: z.object({ id, order_id: z.optional(z.nullable(id)), switchedAs }),
  answer: z.object({ plan: userPlan }),
  refusals: ['not_found', 'not_paid', 'not_now', 'idempotency_mismatch'],
} as const satisfies Endpoint;

/** A plan as the browser keeps it while a person registers: only its id is ever believed. */
export const selectedPlan = boundedObject(4096);
