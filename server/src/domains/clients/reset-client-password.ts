import type { ParsedRequestOf, passwordResetByAdmin } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { refuse } from '../../refusal.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { revokeAllAccess } from '../identity/end-access.ts';
import { findOwnClient } from '../identity/find-own-client.ts';
import { getPerson } from '../identity/get-person.ts';
import { accountMail } from '../identity/jobs.ts';
import { consumeRateLimit } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';

/** Signs the client out everywhere and mails him a link. The new password he sets himself: nobody else ever knows it. */
export async function resetClientPassword(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof passwordResetByAdmin>,
) {
  const client = await findOwnClient(ctx, actor, request.user_id);
  if (!client) refuse('not_found');
  await consumeRateLimit(ctx, limits.mailToAddress, client.email);
  await inTransaction(ctx, async (inside) => {
    const { user: admin } = await getPerson(inside, actor.id);
    const from = `${admin.first_name} ${admin.last_name}`;
    // Somebody who has not accepted his invitation yet gets a new one.
    const kind = client.password_hash ? 'reset_by_admin' : 'invitation';
    await revokeAllAccess(inside, client.id);
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId: client.id,
      act: 'password_reset_by_admin',
    });
    await ctx.enqueue(
      inside.db,
      accountMail({ kind, email: client.email, userId: client.id, from }),
    );
  });
  record(ctx, 'client_password_reset', { user_id: client.id, actor_id: actor.id });
  return { message: `A link to set a new password is on its way to ${client.email}.` };
}
