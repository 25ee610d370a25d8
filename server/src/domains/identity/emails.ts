import { nameOf } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import type { Job } from '../../jobs/job.ts';
import { plainName } from '../../lib/plain-name.ts';
import * as texts from '../../texts/identity.ts';
import { type EmailContent, sendEmail } from '../notifications/emails.ts';
import { issueEmailLink } from './email-links.ts';
import { deleteLinks, hasLink } from './store/email-links.ts';
import { findUser, findUserByEmail, type UserRow } from './store/users.ts';

/** Part of stored jobs: renaming a kind loses the emails that are queued at that moment. */
export const accountEmailKinds = [
  'verification',
  'known_address',
  'reset',
  'invitation',
  'reset_by_admin',
  'address_change',
  'address_changed',
  'password_changed',
  'account_deleted',
  'suspended',
  'readmitted',
  'sign_ins_near_limit',
] as const;

interface AccountEmail {
  kind: (typeof accountEmailKinds)[number];
  email: string;
  userId?: string;
  /** The name of the person who invites or acts. */
  from?: string;
  /** Why it was done, in the words of the operator. */
  reason?: string;
}

/** Contains no token: the job that sends the email issues the link, so no token is ever stored. */
export function accountEmail(email: AccountEmail): Job {
  return { name: 'identity.mail', payload: email };
}

/** Decides whether an address gets an email, so that requests take equally long for all. */
export async function sendAccountEmail(ctx: Context, email: AccountEmail): Promise<void> {
  const content = await contentOf(ctx, email);
  if (content) await sendEmail(ctx, email.email, content);
}

async function contentOf(ctx: Context, email: AccountEmail): Promise<EmailContent | null> {
  const { operator, http } = ctx.config;
  if (email.kind === 'account_deleted') return texts.accountDeletedEmail(operator);
  const found = email.userId
    ? await findUser(ctx.db, email.userId)
    : await findUserByEmail(ctx.db, email.email);
  if (!found) return null;
  // A link that sets a password must not reach an inbox that is no longer the person's.
  const isMoved = found.email !== email.email;
  const user = { ...found, first_name: plainName(found.first_name) };
  const from = email.from ? plainName(email.from) : operator.product;
  const link = (purpose: keyof typeof pages) => linkTo(ctx, user, purpose);
  const invite = async (inviter: string) =>
    texts.invitationEmail(user, await link('invitation'), {
      from: inviter,
      product: operator.product,
    });
  // The person who invited them may act for them, so only the invitation opens the account.
  const isInvited = user.password_hash === null && !user.email_verified_at;
  if (isInvited && ownLinks.includes(email.kind)) return invite(await inviterOf(ctx, user));
  const finish = async () => {
    await deleteLinks(ctx.db, { userId: user.id, purposes: ['verify_email'] });
    return texts.registeredBeforeEmail(user, await link('reset_password'), operator);
  };
  switch (email.kind) {
    case 'verification':
      if (user.email_verified_at) return null;
      if (await hasLink(ctx.db, { userId: user.id, purpose: 'reset_password' })) return finish();
      return texts.verificationEmail(user, await link('verify_email'), operator);
    // Someone else may have registered first, and a link that only verifies keeps their password.
    case 'known_address':
      if (user.email_verified_at) return texts.knownAddressEmail(user, http.publicUrl, operator);
      return finish();
    case 'reset':
      return texts.passwordResetEmail(user, await link('reset_password'));
    case 'reset_by_admin':
      if (isMoved) return null;
      return texts.passwordResetByAdminEmail(user, await link('reset_password'), from);
    case 'invitation':
      return isMoved ? null : invite(from);
    case 'address_change':
      // The pending address may have changed: a link verifies only the address it is sent to.
      if (user.pending_email !== email.email) return null;
      return texts.addressChangeEmail(user, await link('change_email'));
    case 'address_changed':
      return texts.addressChangedEmail(user, operator);
    case 'password_changed':
      return texts.passwordChangedEmail(user, http.publicUrl);
    // A suspension may have been lifted or set again: an email tells the current state.
    case 'suspended':
      return user.suspended_at ? texts.suspendedEmail(user, operator, email.reason ?? '') : null;
    case 'sign_ins_near_limit':
      return texts.signInsNearLimitEmail(user, operator);
    case 'readmitted':
      if (user.suspended_at) return null;
      // The suspension has ended their invitation.
      return isInvited
        ? invite(await inviterOf(ctx, user))
        : texts.suspensionLiftedEmail(user, http.publicUrl, operator);
  }
}

/** Emails that a person asks for themselves. */
const ownLinks: readonly AccountEmail['kind'][] = ['verification', 'known_address', 'reset'];

async function inviterOf(ctx: Context, { admin_id }: UserRow): Promise<string> {
  const admin = admin_id ? await findUser(ctx.db, admin_id) : undefined;
  return admin ? plainName(nameOf(admin)) : ctx.config.operator.product;
}

const pages = {
  verify_email: '/auth/verify',
  change_email: '/auth/change-email',
  reset_password: '/auth/reset/new',
  invitation: '/auth/invitation',
} as const;

/** The token is in the fragment, which browsers do not send: no server logs it. */
async function linkTo(ctx: Context, user: UserRow, purpose: keyof typeof pages): Promise<string> {
  const token = await issueEmailLink(ctx, { userId: user.id, purpose, email: user.email });
  return `${ctx.config.http.publicUrl}${pages[purpose]}#${token}`;
}
