import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { count, currency, id, instant, line, minor, nothing, page } from './fields.ts';
import { assignableRoles } from './permissions.ts';
import { paymentMethods } from './states.ts';

/** A person as the operator of the installation sees him. */
export const personSummary = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  role_id: z.int(),
  email_verified_at: z.nullable(instant),
  suspended_at: z.nullable(instant),
  last_seen_at: z.nullable(instant),
  creditsAvailable: count,
  admin: z.nullable(z.object({ id, name: z.string() })),
});
export type PersonSummary = z.infer<typeof personSummary>;

const reason = line(200);

export const getPeople = {
  host: 'auth',
  method: 'POST',
  path: '/api/getPeople',
  summary: 'Everybody, with search by name, address or id; or only those of a role.',
  who: 'verified',
  requires: 'viewInstallation',
  actAs: 'self',
  request: z.object({ ...page, role_id: z.optional(z.int('Must be a role.')) }),
  answer: z.object({ people: z.array(personSummary), total: count }),
  refusals: [],
} as const satisfies Endpoint;

export const setRole = {
  host: 'auth',
  method: 'POST',
  path: '/api/setRole',
  summary:
    'Makes a client an admin, or an admin a client again: his clients then belong to nobody. Operators are made by command.',
  who: 'verified',
  requires: 'managePeople',
  actAs: 'self',
  request: z.object({
    user_id: id,
    role_id: z.literal(assignableRoles, 'Either 1 (client) or 2 (admin).'),
    reason,
  }),
  answer: nothing,
  refusals: ['not_found', 'not_now'],
} as const satisfies Endpoint;

export const moveClient = {
  host: 'auth',
  method: 'POST',
  path: '/api/moveClient',
  summary: 'Gives a client to an admin, or to nobody. What runs for him goes on.',
  who: 'verified',
  requires: 'managePeople',
  actAs: 'self',
  request: z.object({ user_id: id, admin_id: z.nullable(id), reason }),
  answer: nothing,
  refusals: ['not_found', 'not_now'],
} as const satisfies Endpoint;

export const setSuspended = {
  host: 'auth',
  method: 'POST',
  path: '/api/setSuspended',
  summary:
    'Suspends a person, which ends his sessions and lets him not sign in, or lets him in again.',
  who: 'verified',
  requires: 'managePeople',
  actAs: 'self',
  request: z.object({ user_id: id, suspended: z.boolean('Must be true or false.'), reason }),
  answer: nothing,
  refusals: ['not_found', 'not_now'],
} as const satisfies Endpoint;

const named = z.object({ id, name: z.string(), email: z.string() });

/** An entry of the audit log, as it is kept. */
export const auditRecord = z.object({
  id,
  at: instant,
  act: z.string(),
  what: z.string(),
  actor: named,
  subject: named,
  detail: z.record(z.string(), z.unknown()),
  request_id: z.string(),
});
export type AuditRecord = z.infer<typeof auditRecord>;

export const getAuditLog = {
  host: 'auth',
  method: 'POST',
  path: '/api/getAuditLog',
  summary: 'The audit log, newest first, with search by person, act, reason or request.',
  who: 'verified',
  requires: 'viewInstallation',
  actAs: 'self',
  request: z.object(page),
  answer: z.object({ entries: z.array(auditRecord), total: count }),
  refusals: [],
} as const satisfies Endpoint;

export const getInvariants = {
  host: 'auth',
  method: 'POST',
  path: '/api/getInvariants',
  summary: 'What must be true of the books, checked now, with the records that break it.',
  who: 'verified',
  requires: 'viewInstallation',
  actAs: 'self',
  request: nothing,
  answer: z.object({
    invariants: z.array(
      z.object({ claim: z.string(), broken_by: z.array(z.string()), broken: count }),
    ),
    checked_at: instant,
  }),
  refusals: [],
} as const satisfies Endpoint;

/** Money that has come, but not as ordered. `came` is what the provider says now; null when it knows nothing, or does not answer. */
export const review = z.object({
  payment_id: id,
  order_id: id,
  created_at: instant,
  person: named,
  description: z.string(),
  submissions: count,
  provider: z.enum(paymentMethods),
  /** The name of the payment at the provider, to find it there. */
  provider_ref: z.nullable(z.string()),
  expected: z.object({ amount_minor: minor, currency }),
  came: z.nullable(
    z.object({ amount_minor: minor, currency, refunded_minor: minor, is_live: z.boolean() }),
  ),
  /** What differs, such as amount, currency or owner; `paid twice` when the order was paid by another payment. */
  differs: z.array(z.string()),
  can_accept: z.boolean(),
  /** Since when its money is being given back. */
  refused_at: z.nullable(instant),
  /** Why the provider does not give it back, in the provider's words; it is tried again. */
  give_back_problem: z.nullable(z.string()),
});
export type Review = z.infer<typeof review>;

export const getReviews = {
  host: 'main',
  method: 'POST',
  path: '/api/getReviews',
  summary: 'The payments that do not fit their orders and wait for a decision, oldest first.',
  who: 'verified',
  requires: 'viewInstallation',
  actAs: 'self',
  request: z.object(page),
  answer: z.object({ reviews: z.array(review), total: count }),
  refusals: [],
} as const satisfies Endpoint;

export const decideReview = {
  host: 'main',
  method: 'POST',
  path: '/api/decideReview',
  summary:
    'Accepts such a payment, which gives what was ordered; or refuses it, which gives nothing: its money is then given back through the provider, or, where that cannot be, by another way: `given_back`.',
  who: 'verified',
  requires: 'decideReviews',
  actAs: 'self',
  request: z.object({
    payment_id: id,
    decision: z.enum(['accept', 'refuse', 'given_back'], 'Accept, refuse or given_back.'),
    reason,
  }),
  answer: nothing,
  refusals: ['not_found', 'not_now', 'payment_refused'],
} as const satisfies Endpoint;
