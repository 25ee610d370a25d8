import type { Context } from '../../core/context.ts';
import * as mails from '../../texts/identity.ts';
import { sendEmail } from '../notifications/emails.ts';
import { openLink } from './email-links.ts';
import { findUser, findUserByEmail, type UserRow } from './store/users.ts';

export const accountMailKinds = [
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
] as const;

export interface AccountEmail {
  kind: (typeof accountMailKinds)[number];
  /** Where the mail goes. */
  email: string;
  userId?: string | undefined;
  /** Who invites or acts, by name. */
  from?: string | undefined;
  /** Why it was done, as it was written for the person to read. */
  reason?: string | undefined;
}

/** Decides whether there is anything to say to this address, and says it. */
export async function sendAccountEmail(ctx: Context, mail: AccountEmail): Promise<void> {
  const user = mail.userId
    ? await findUser(ctx.db, mail.userId)
    : await findUserByEmail(ctx.db, mail.email);
  if (mail.kind === 'account_deleted')
    return sendEmail(ctx, mail.email, mails.accountDeleted(ctx.config.operator));
  const content = user ? await contentOf(ctx, mail, user) : null;
  if (content) await sendEmail(ctx, mail.email, content);
}

async function contentOf(ctx: Context, mail: AccountEmail, user: UserRow) {
  const { operator } = ctx.config;
  switch (mail.kind) {
    case 'verification':
      return user.email_verified_at
        ? null
        : mails.verification(user, await linkTo(ctx, user, 'verify_email'), operator);
    case 'known_address':
      if (user.email_verified_at)
        return mails.knownAddress(user, ctx.config.http.publicUrl, operator);
      return mails.verification(user, await linkTo(ctx, user, 'verify_email'), operator);
    case 'reset':
      return mails.passwordReset(user, await linkTo(ctx, user, 'reset_password'));
    case 'reset_by_admin':
      return mails.passwordResetByAdmin(
        user,
        await linkTo(ctx, user, 'reset_password'),
        mail.from ?? operator.product,
      );
    case 'invitation':
      return mails.invitation(user, await linkTo(ctx, user, 'invitation'), {
        from: mail.from ?? operator.product,
        product: operator.product,
      });
    case 'address_change':
      // The person may have changed his mind meanwhile: a link must never verify another address than the one it goes to.
      return user.pending_email === mail.email
        ? mails.addressChange(user, await linkTo(ctx, user, 'change_email'))
        : null;
    case 'address_changed':
      return mails.addressChanged(user, operator);
    case 'password_changed':
      return mails.passwordChanged(user, ctx.config.http.publicUrl);
    // Who was let in again meanwhile, or suspended once more, hears only how it stands.
    case 'suspended':
      return user.suspended_at ? mails.suspended(user, operator, mail.reason ?? '') : null;
    case 'readmitted':
      return user.suspended_at ? null : mails.readmitted(user, ctx.config.http.publicUrl, operator);
    case 'account_deleted':
      return null;
  }
}

const pages = {
  verify_email: '/auth/verify',
  change_email: '/auth/change-email',
  reset_password: '/auth/reset/new',
  invitation: '/auth/invitation',
} as const;

/** The token stands behind the #, which a browser keeps to itself: it is in no log of a server or proxy. */
async function linkTo(ctx: Context, user: UserRow, purpose: keyof typeof pages): Promise<string> {
  const token = await openLink(ctx, { userId: user.id, purpose });
  return `${ctx.config.http.publicUrl}${pages[purpose]}#${token}`;
}
