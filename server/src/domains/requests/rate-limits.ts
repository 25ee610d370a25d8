import type { Context } from '../../core/context.ts';
import { recordNow } from '../../core/events.ts';
import { refuse } from '../../core/refusal.ts';
import { after, day, hour, minute } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/ids.ts';
import { refused } from '../../texts/requests.ts';
import { addAttempts, findWindow, removeAttempt, saveWindow } from './store.ts';

export interface RateLimit {
  /** The first part of the key in the database. */
  name: string;
  /** What is counted, for the docs. */
  counts: string;
  attempts: number;
  windowMilliseconds: number;
  message?: string;
}

const { too_many_requests: texts } = refused;
const quarter = 15 * minute;

/** A network is an IPv4 address or an IPv6 /64. Every window ends, so no lock-out is final. */
export const rateLimits = {
  signInPerAccount: {
    name: 'sign-in-account',
    counts: 'Failed sign-ins to one account from one network',
    attempts: 10,
    windowMilliseconds: quarter,
  },
  signInPerNetwork: {
    name: 'sign-in-address',
    counts: 'Failed sign-ins from one network',
    attempts: 100,
    windowMilliseconds: hour,
  },
  signInTotal: {
    name: 'sign-in-all',
    counts: 'Sign-ins from all networks without a successful one in the last 30 days',
    attempts: 20_000,
    windowMilliseconds: quarter,
  },
  registrationPerNetwork: {
    name: 'register-address',
    counts: 'Registrations from one network',
    attempts: 60,
    windowMilliseconds: hour,
  },
  registrationPerSite: {
    name: 'register-site',
    counts: 'Registrations from one IPv6 /48, which one person may have',
    attempts: 600,
    windowMilliseconds: hour,
  },
  // As long as its link works: when others have used up the attempts, the inbox has a valid link.
  resetPerAddress: {
    name: 'mail-reset',
    counts: 'Password links to one address, known or not',
    attempts: 6,
    windowMilliseconds: 30 * minute,
    message: texts.emails,
  },
  // For the same reason a day. Each kind counts by itself, because one may send no link.
  emailPerAddress: {
    name: 'mail-to',
    counts:
      'Other account emails of one kind to one address, known or not, and alerts of one client’s low balance',
    attempts: 6,
    windowMilliseconds: day,
    message: texts.emails,
  },
  emailPerNetwork: {
    name: 'mail-from',
    counts: 'Account emails requested from one network',
    attempts: 60,
    windowMilliseconds: hour,
  },
  emailLinkPerNetwork: {
    name: 'link-from',
    counts: 'Email links opened from one network',
    attempts: 200,
    windowMilliseconds: hour,
  },
  passwordPerAccount: {
    name: 'password-account',
    counts: 'Wrong current passwords in the sessions of one account',
    attempts: 10,
    windowMilliseconds: quarter,
  },
  uploadPerPerson: {
    name: 'upload',
    counts: 'Uploads by one person',
    attempts: 10,
    windowMilliseconds: minute,
    message: texts.uploads(10),
  },
  providerTestPerPerson: {
    name: 'provider-test',
    counts: 'Tests of providers by one operator',
    attempts: 20,
    windowMilliseconds: minute,
  },
  revisionPerPerson: {
    name: 'revise',
    counts: 'Sheets read again by one person',
    attempts: 30,
    windowMilliseconds: minute,
  },
  promptPerPerson: {
    name: 'question',
    counts: 'Single prompts and previews by one person',
    attempts: 600,
    windowMilliseconds: minute,
    message: texts.prompts,
  },
  failedPromptPerPerson: {
    name: 'question-failed',
    counts: 'Failed single prompts of one person',
    attempts: 100,
    windowMilliseconds: quarter,
    message: texts.failedPrompts,
  },
  unusableRowsPerPerson: {
    name: 'unusable-row',
    counts:
      'Rows of one person, in batches and previews, whose answers do not fit their columns, less the answered ones of the same slice or preview',
    attempts: 1_000,
    windowMilliseconds: hour,
    message: texts.unusableRows,
  },
  judgementPerPerson: {
    name: 'judge',
    counts: 'Judgements, notes and corrections by one person, each of up to 1,000 answers',
    attempts: 300,
    windowMilliseconds: minute,
    message: texts.judgements,
  },
  startPerPerson: {
    name: 'start',
    counts: 'Starts of batches by one person',
    attempts: 1_200,
    windowMilliseconds: hour,
    message: texts.starts,
  },
  orderPerPerson: {
    name: 'order',
    counts: 'Orders by one person',
    attempts: 100,
    windowMilliseconds: day,
    message: texts.orders,
  },
  // Beyond it, we answer what is stored.
  paymentCheckPerPerson: {
    name: 'payment-check',
    counts: 'Payments whose state one buyer makes us ask for; more show the stored state',
    attempts: 300,
    windowMilliseconds: 5 * minute,
  },
  changePerPerson: {
    name: 'change',
    counts: 'Other changes by one person',
    attempts: 10_000,
    windowMilliseconds: day,
    message: texts.changes,
  },
  invitationPerAdmin: {
    name: 'invite',
    counts: 'Invitations by one admin',
    attempts: 200,
    windowMilliseconds: hour,
  },
  // Their addresses may be invented. At the first sign-in the plan starts by itself.
  freePlanPerAdmin: {
    name: 'free-plan',
    counts: 'Free plans that one admin starts for clients',
    attempts: 20,
    windowMilliseconds: day,
    message: texts.freePlans,
  },
} as const satisfies Record<string, RateLimit>;

/**
 * Counts an attempt before it is made, so parallel attempts cannot slip through together. All
 * processes share the counters in the database, also after restarts.
 */
export async function consumeRateLimit(ctx: Context, limit: RateLimit, of: string) {
  const window = await count(ctx, limit, { of, count: 1 });
  refuseOver(ctx, limit, window);
  return { attempts: window.attempts };
}

/** Counts what happened already. True when the limit is used up. */
export async function countAgainst(
  ctx: Context,
  limit: RateLimit,
  counted: { of: string; count: number },
): Promise<boolean> {
  const { attempts } = await count(ctx, limit, counted);
  return attempts > limit.attempts;
}

/** Counts nothing. */
export async function refuseWhileUsedUp(ctx: Context, limit: RateLimit, of: string): Promise<void> {
  const window = await findWindow(ctx.db, { key: keyOf(limit, of), now: ctx.clock.now() });
  if (window) refuseOver(ctx, limit, window);
}

async function count(ctx: Context, limit: RateLimit, { of, count }: { of: string; count: number }) {
  const now = ctx.clock.now();
  const resetsAt = after(now, limit.windowMilliseconds);
  return addAttempts(ctx.db, { key: keyOf(limit, of), count, now, resetsAt });
}

function refuseOver(
  ctx: Context,
  limit: RateLimit,
  { attempts, resets_at }: Awaited<ReturnType<typeof count>>,
): void {
  if (attempts <= limit.attempts) return;
  recordNow(ctx, 'rate_limited', { limit: limit.name });
  const left = resets_at.getTime() - ctx.clock.now().getTime();
  refuse('too_many_requests', {
    message: limit.message,
    retryAfterSeconds: Math.max(1, Math.ceil(left / 1000)),
  });
}

/** A successful attempt does not count. */
export async function refundRateLimit(ctx: Context, limit: RateLimit, of: string): Promise<void> {
  await removeAttempt(ctx.db, keyOf(limit, of));
}

/** A network with a recent sign-in passes when the limit for all is reached. */
const signedInLately = { name: 'sign-in-lately', windowMilliseconds: 30 * day };

export async function rememberNetwork(ctx: Context, network: string): Promise<void> {
  await saveWindow(ctx.db, {
    key: keyOf(signedInLately, network),
    resetsAt: after(ctx.clock.now(), signedInLately.windowMilliseconds),
  });
}

export async function isKnownNetwork(ctx: Context, network: string): Promise<boolean> {
  const key = keyOf(signedInLately, network);
  return (await findWindow(ctx.db, { key, now: ctx.clock.now() })) !== undefined;
}

/** The IPv6 /48 of a network; an IPv4 address as it is. */
export function siteOf(network: string): string {
  return network.replace(/^(\w+:\w+:\w+):\w+::\/64$/, '$1::/48');
}

/** Email and network addresses are stored as hashes only. */
function keyOf(limit: Pick<RateLimit, 'name'>, of: string): string {
  return `${limit.name}:${hashSecret(of).slice(0, 32)}`;
}
