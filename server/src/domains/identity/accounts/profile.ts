import {
  linkPurposes,
  type ParsedRequestOf,
  type User,
  type verifyAndUpdateUserDetails,
} from '@rowmill/contract';
import type { Actor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { writeAuditEntry } from '../../audit/write-entry.ts';
import { consumeRateLimit, rateLimits } from '../../requests/rate-limits.ts';
import { accountEmail } from '../jobs.ts';
import { assertPasswordUnchanged, confirmPassword } from '../passwords/change.ts';
import { isPicture, presentUser } from '../rules.ts';
import { deleteLinks } from '../store/email-links.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import { getUser, updateUser } from '../store/users.ts';

type Request = ParsedRequestOf<typeof verifyAndUpdateUserDetails>;

/** A new address waits as pending until the link that goes there has been opened; until then the old one stays. */
export async function updateProfile(ctx: Context, actor: Actor, request: Request) {
  const { email, profile_photo, current_password, ...plain } = request;
  if (profile_photo && !isPicture(profile_photo)) {
    refuse('invalid_input', {
      fields: { profile_photo: 'Please choose a PNG, JPEG or WebP picture.' },
    });
  }
  const before = await getUser(ctx.db, actor.id);
  const isMoving = email !== undefined && email !== before.email;
  const confirmed = isMoving
    ? await admitAddressChange(ctx, actor, { email, password: current_password })
    : null;
  const pending_email = email === undefined ? before.pending_email : isMoving ? email : null;
  const photo = profile_photo === undefined ? {} : { profile_photo: profile_photo || null };
  const user = await inTransaction(ctx, async (inside) => {
    if (confirmed) await assertPasswordUnchanged(inside, confirmed);
    // A link that went to an earlier address must not verify this one.
    if (email !== undefined)
      await deleteLinks(inside.db, { userId: actor.id, purposes: ['change_email'] });
    const changed = await updateUser(inside.db, actor.id, { ...plain, ...photo, pending_email });
    if (isMoving)
      await ctx.enqueue(
        inside.db,
        accountEmail({ kind: 'address_change', email, userId: actor.id }),
      );
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId: actor.id,
      act: isMoving ? 'address_change_asked' : 'profile_changed',
    });
    return changed;
  });
  const message = isMoving
    ? `Saved. To use ${email} from now on, please open the link that we have sent there.`
    : 'Your profile is saved.';
  return { user: presentUser(user), pending_email: user.pending_email, message };
}

async function admitAddressChange(
  ctx: Context,
  actor: Actor,
  { email, password }: { email: string; password: string | undefined },
) {
  if (!password)
    refuse('invalid_input', {
      fields: { current_password: 'Please enter your password to change the address.' },
    });
  const user = await confirmPassword(ctx, actor, password);
  await consumeRateLimit(ctx, rateLimits.emailPerAddress, email);
  return user;
}

export async function getPerson(
  ctx: Context,
  id: string,
): Promise<{ user: User; pending_email: string | null; created_at: Date }> {
  const row = await getUser(ctx.db, id);
  return { user: presentUser(row), pending_email: row.pending_email, created_at: row.created_at };
}

/** Leaves a record without a name, a password or an address, so that the ledger still belongs to somebody. */
export async function forgetPerson(ctx: Context, id: string): Promise<void> {
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
    admin_id: null,
    profile_photo: null,
    deleted_at: ctx.clock.now(),
  });
}
