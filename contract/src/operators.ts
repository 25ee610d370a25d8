import * as z from 'zod/mini';
import { call } from './endpoint.ts';
import { count, currency, debt, id, instant, line, minor, page, searchedPeople } from './fields.ts';
import { assignableRoles, roles } from './permissions.ts';
import { paymentMethods } from './states.ts';

/** A person as an operator sees them. */
export const personSummary = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  role_id: z.int(),
  email_verified_at: z.nullable(instant),
  suspended_at: z.nullable(instant),
  last_seen_at: z.nullable(instant),
  plan: z.nullable(z.string()),
  creditsAvailable: count,
  debt,
  admin: z.nullable(z.object({ id, name: z.string() })),
});
export type PersonSummary = z.infer<typeof personSummary>;

const reason = line(200);

export const getPeople = call({
  host: 'auth',
  path: '/api/getPeople',
  summary: 'Everyone, everyone with a role or one person, with search by name, address or id.',
  requires: 'viewInstallation',
  request: z.object({
    ...page,
    role_id: z.optional(z.literal(Object.values(roles), 'Must be a role.')),
    person_id: z.optional(id),
  }),
  answer: z.object({
    people: z.array(personSummary),
    total: count,
    searched: searchedPeople,
  }),
});

export const setRole = call({
  host: 'auth',
  path: '/api/setRole',
  summary:
    'Makes a client an admin, or an admin a client. Clients of a former admin have no admin. Operators are made on the command line.',
  requires: 'managePeople',
  request: z.object({
    user_id: id,
    role_id: z.literal(assignableRoles, 'Either 1 (client) or 2 (admin).'),
    reason,
  }),
  refusals: ['not_found', 'not_now'],
});

export const moveClient = call({
  host: 'auth',
  path: '/api/moveClient',
  summary: 'Moves a client to another admin, or to none. Running batches continue.',
  requires: 'managePeople',
  request: z.object({ user_id: id, admin_id: z.nullable(id), reason }),
  refusals: ['not_found', 'not_now'],
});

export const setSuspended = call({
  host: 'auth',
  path: '/api/setSuspended',
  summary:
    'Suspends a person, which ends their sessions and blocks sign-in, or lifts the suspension.',
  requires: 'managePeople',
  request: z.object({ user_id: id, suspended: z.boolean('Must be true or false.'), reason }),
  refusals: ['not_found', 'not_now'],
});

const named = z.object({ id, name: z.string(), email: z.string() });

/** An entry of the audit log, as it is stored. */
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

export const getAuditLog = call({
  host: 'auth',
  path: '/api/getAuditLog',
  summary: 'The audit log, newest first, with search by person, act, reason or request.',
  requires: 'viewInstallation',
  request: z.object(page),
  answer: z.object({
    entries: z.array(auditRecord),
    total: count,
    /** How many of the newest entries were searched, by action and reason. Absent: all were. */
    searched: z.optional(z.object({ acts: count, reasons: count })),
  }),
});

export const getInvariants = call({
  host: 'auth',
  path: '/api/getInvariants',
  summary: 'Runs the ledger checks now and lists the records that break them.',
  requires: 'viewInstallation',
  answer: z.object({
    invariants: z.array(
      z.object({ claim: z.string(), broken_by: z.array(z.string()), broken: count }),
    ),
    checked_at: instant,
  }),
});

export const getOverview = call({
  host: 'auth',
  path: '/api/getOverview',
  summary: 'What runs now, what waits for an operator, and figures of the last 24 hours.',
  requires: 'viewInstallation',
  answer: z.object({
    batches: z.object({
      running: count,
      /** Paused because the chat provider is down or refuses. */
      stuck: count,
    }),
    /** Providers that throttle us, by name or host, with the end of the pause. */
    throttled: z.array(z.object({ model: z.string(), until: instant })),
    /** The models whose provider is down, and whose fallback answers. */
    failed_over: z.array(z.object({ model: z.string(), fallback: z.string() })),
    reviews: count,
    /** Disputes that are not decided. */
    disputes: count,
    /** The first of them; `ref` is the provider's id of the dispute. */
    disputed: z.array(
      z.object({ ref: z.string(), user_id: id, name: z.string(), amount_minor: minor, currency }),
    ),
    frozen_accounts: count,
    /** No mail server is set, and this is no demo. */
    emails_wait: z.boolean(),
    /** Why files cannot be stored or read now. */
    files_problem: z.nullable(z.string()),
    /** No worker has looked after the queue for a minute. */
    worker_missing: z.boolean(),
    /** The start of the 24 hours. */
    since: instant,
    new_people: count,
    /** The rows of the batches that were started in this time. */
    rows: z.object({ answered: count, failed: count }),
    /** What orders paid in this time brought, less refunds and disputes, by currency. */
    received: z.array(z.object({ amount_minor: minor, currency })),
  }),
});

/** A payment that does not match its order. `came`: what the provider reports now, or null. */
export const review = z.object({
  payment_id: id,
  order_id: id,
  created_at: instant,
  person: named,
  description: z.string(),
  submissions: count,
  provider: z.enum(paymentMethods),
  /** The payment's id at the provider. */
  provider_ref: z.nullable(z.string()),
  expected: z.object({ amount_minor: minor, currency }),
  came: z.nullable(
    z.object({
      amount_minor: minor,
      currency,
      /** By refunds and lost disputes. */
      refunded_minor: minor,
      /** By disputes that are not decided. */
      disputed_minor: minor,
      is_live: z.boolean(),
    }),
  ),
  /**
   * What differs, such as amount or owner. `paid twice`: another payment has paid. `buyer deleted`:
   * the account is gone.
   */
  differs: z.array(z.string()),
  can_accept: z.boolean(),
  /** When an operator refused the payment; its refund is pending since then. */
  refused_at: z.nullable(instant),
  /** Why the last refund failed, in the provider's words. It is retried. */
  give_back_problem: z.nullable(z.string()),
});
export type Review = z.infer<typeof review>;

export const getReviews = call({
  path: '/api/getReviews',
  summary: 'The payments that do not match their orders and wait for a decision, oldest first.',
  requires: 'viewInstallation',
  request: z.object(page),
  answer: z.object({ reviews: z.array(review), total: count }),
});

export const decideReview = call({
  path: '/api/decideReview',
  summary:
    'Accepts the payment, which fulfils the order, or refuses it, which refunds the payment. `given_back` closes a refused payment that was returned another way.',
  requires: 'decideReviews',
  request: z.object({
    payment_id: id,
    decision: z.enum(['accept', 'refuse', 'given_back'], 'Accept, refuse or given_back.'),
    reason,
  }),
  refusals: ['not_found', 'not_now', 'payment_refused'],
});
