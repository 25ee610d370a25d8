import type { ParsedRequestOf, verifyAndUpdateUserDetails } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { consumeRateLimit } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { confirmPassword } from './confirm-password.ts';
import { assertPasswordUnchanged } from './hold-password.ts';
import { accountMail } from './jobs.ts';
import { isPicture, presentUser } from './rules.ts';
import { deleteLinks } from './store/links.ts';
import { getUser, updateUser } from './store/users.ts';

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
        accountMail({ kind: 'address_change', email, userId: actor.id }),
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
  await consumeRateLimit(ctx, limits.mailToAddress, email);
  return user;
}
