import * as z from 'zod/mini';
import { call } from './endpoint.ts';
import {
  count,
  debt,
  email,
  id,
  instant,
  longestPage,
  page,
  personName,
  phone,
  searchedPeople,
  switchedAs,
} from './fields.ts';

export const clientSummary = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string(),
  email_verified_at: z.nullable(instant),
  suspended_at: z.nullable(instant),
  /** False until an invited person has set a password. */
  accepted: z.boolean(),
  plan: z.nullable(z.string()),
  creditsAvailable: count,
  debt,
  batches_running: count,
  /** Submissions per calendar month (UTC), and those spent or reserved so far. */
  monthly_limit: z.nullable(count),
  spent_this_month: count,
  /** Below this balance, the client and the admin get one low-balance email. */
  low_balance_at: z.nullable(count),
  last_seen_at: z.nullable(instant),
});
export type ClientSummary = z.infer<typeof clientSummary>;

export const addClient = call({
  host: 'auth',
  path: '/api/addClient',
  summary:
    'Invites a client by email, with a free plan if one is named. The submissions come from the caller’s balance.',
  requires: 'manageClients',
  idempotent: true,
  request: z.object({
    first_name: personName,
    last_name: personName,
    email,
    phone: z.optional(phone),
    plan: z.optional(z.nullable(id)),
    credits: z.optional(
      z
        .int('Must be a whole number.')
        .check(z.gte(0, 'At least 0.'), z.lte(1_000_000_000, 'At most 1,000,000,000.')),
    ),
  }),
  answer: z.object({ client: clientSummary }),
  refusals: ['address_unavailable', 'insufficient_credits', 'not_found', 'not_paid'],
});

export const passwordResetByAdmin = call({
  host: 'auth',
  path: '/api/passwordResetByAdmin',
  summary:
    'Emails a client of the caller a link to set a new password, and ends the client’s sessions. A client who has not accepted the invitation gets a new one, at another address if one is named. Afterwards naming an address is refused.',
  requires: 'manageClients',
  request: z.object({ user_id: id, email: z.optional(email) }),
  refusals: ['not_found', 'not_now', 'address_unavailable'],
});

export const withdrawInvitation = call({
  host: 'auth',
  path: '/api/withdrawInvitation',
  summary:
    'Deletes the account of a client who has not accepted the invitation. What is left of the caller’s submissions returns to the caller.',
  requires: 'manageClients',
  request: z.object({ user_id: id }),
  refusals: ['not_found', 'not_now'],
});

/** Low balances are those of people who have accepted their invitation. */
export const clientFilters = ['low', 'running', 'invited'] as const;
export type ClientFilter = (typeof clientFilters)[number];
/** `balance` begins with the lowest, `last_seen` with the latest. */
export const clientOrders = ['newest', 'name', 'balance', 'last_seen'] as const;
export type ClientOrder = (typeof clientOrders)[number];

export const userList = call({
  host: 'auth',
  path: '/api/userList',
  summary:
    'The clients of the caller, newest first unless `sort` says otherwise, and how many submissions the caller can give them.',
  requires: 'manageClients',
  body: [],
  request: z.object({
    ...longestPage,
    filter: z.optional(z.enum(clientFilters)),
    sort: z._default(z.enum(clientOrders), 'newest'),
  }),
  answer: z.object({
    users: z.array(clientSummary),
    total: count,
    can_give: count,
    searched: searchedPeople,
  }),
});

const bound = z.nullable(
  z
    .int('Must be a whole number.')
    .check(z.gte(0, 'At least 0.'), z.lte(1_000_000_000, 'At most 1,000,000,000.')),
);

export const setClientLimits = call({
  host: 'auth',
  path: '/api/setClientLimits',
  summary:
    'Sets a client’s monthly limit and the balance that triggers a low-balance email. Null removes a limit.',
  requires: 'manageClients',
  request: z.object({
    user_id: id,
    monthly_limit: z.optional(bound),
    low_balance_at: z.optional(bound),
  }),
  refusals: ['not_found'],
});

/** `what` continues the name of the person who did it; `path` leads to what it concerns. */
export const activity = z.object({
  id,
  at: instant,
  by: z.object({ id, name: z.string(), is_self: z.boolean() }),
  what: z.string(),
  path: z.nullable(z.string()),
});
export type Activity = z.infer<typeof activity>;

export const getActivity = call({
  host: 'auth',
  path: '/api/getActivity',
  summary: 'Who changed what in a person’s account, work and submissions, newest first.',
  request: z.object({ start: page.start, limit: page.limit, switchedAs }),
  answer: z.object({ entries: z.array(activity), total: count }),
});
