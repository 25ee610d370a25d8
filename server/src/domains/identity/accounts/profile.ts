import { linkPurposes } from '@rowmill/contract';
import type { Actor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse, refuseField } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import * as texts from '../../../texts/identity.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { consumeRateLimit, rateLimits } from '../../requests/rate-limits.ts';
import { accountEmail } from '../emails.ts';
import { assertPasswordUnchanged, confirmPassword } from '../passwords/change.ts';
import { presentUser } from '../rules.ts';
import { deleteLinks } from '../store/email-links.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import { getUser, lockUser, updateUser } from '../store/users.ts';
import { isPicture } from './photo.ts';

const invalid = texts.refused.invalid_input;

export async function getPerson(ctx: Context, id: string) {
  const row = await getUser(ctx.db, id);
  const { pending_email, created_at, batch_emails } = row;
  return { user: presentUser(row), pending_email, created_at, batch_emails };
}

/** A new address is pending and the old one in use until the emailed link is opened. */
export const updateProfile: Handler<'verifyAndUpdateUserDetails'> = async (ctx, actor, request) => {
  const { email, profile_photo, current_password, ...rest } = request;
  if (profile_photo && !isPicture(profile_photo)) refuseField('profile_photo', invalid.photo);
  const before = await getUser(ctx.db, actor.id);
  const isNewAddress = email !== undefined && email !== before.email;
  const confirmed = isNewAddress
    ? await confirmAddressChange(ctx, actor, { email, password: current_password })
    : null;
  const address = email === undefined ? {} : { pending_email: isNewAddress ? email : null };
  const photo = profile_photo === undefined ? {} : { profile_photo: profile_photo || null };
  const user = await inTransaction(ctx, async (ctx) => {
    if ((await lockUser(ctx.db, actor.id)).deleted_at) refuse('not_signed_in');
    if (confirmed) await assertPasswordUnchanged(ctx, confirmed);
    // A link sent to another pending address must not verify this one.
    if (email !== undefined)
      await deleteLinks(ctx.db, { userId: actor.id, purposes: ['change_email'] });
    const changes = { ...rest, ...photo, ...address };
    // Every field is optional.
    if (Object.keys(changes).length === 0) return getUser(ctx.db, actor.id);
    const changed = await updateUser(ctx.db, actor.id, changes);
    if (isNewAddress)
      await ctx.enqueue(ctx.db, accountEmail({ kind: 'address_change', email, userId: actor.id }));
    await writeAuditEntry(
      ctx,
      { actor, subjectId: actor.id },
      isNewAddress ? 'address_change_asked' : 'profile_changed',
    );
    return changed;
  });
  const isCancelled = !isNewAddress && email !== undefined && before.pending_email !== null;
  const message = isNewAddress
    ? texts.addressPending(email)
    : isCancelled
      ? texts.addressChangeCancelled(email)
      : messageAbout(Object.keys(rest).length > 0 ? undefined : profile_photo);
  return { user: presentUser(user), pending_email: user.pending_email, message };
};

/** A photo that is sent with the names may be the same as before. */
function messageAbout(photoAlone: string | null | undefined): string {
  if (photoAlone === undefined) return texts.profileSaved;
  return photoAlone ? texts.photoSaved : texts.photoRemoved;
}

async function confirmAddressChange(
  ctx: Context,
  actor: Actor,
  { email, password }: { email: string; password: string | undefined },
) {
  if (!password) refuseField('current_password', invalid.currentPassword);
  const user = await confirmPassword(ctx, actor, password);
  await consumeRateLimit(ctx, rateLimits.emailPerNetwork, actor.ip);
  await consumeRateLimit(ctx, rateLimits.emailPerAddress, `change ${email}`);
  return user;
}

/** Removes name, password and address; the row stays, because the ledger refers to it. */
export async function deletePerson(ctx: Context, id: string): Promise<void> {
  await deleteSessionsOf(ctx.db, { userId: id });
  await deleteLinks(ctx.db, { userId: id, purposes: linkPurposes });
  await updateUser(ctx.db, id, {
    email: `deleted-${id}@deleted.invalid`,
    pending_email: null,
    email_verified_at: null,
    password_hash: null,
    first_name: 'Deleted',
    last_name: 'person',
    phone: '',
    profile_photo: null,
    deleted_at: ctx.clock.now(),
  });
}
