import type { openMailedLink, ParsedRequestOf } from '@rowmill/contract';
import type { Visitor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { consumeRateLimit } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { findLink } from './store/links.ts';
import { findUser, getUser } from './store/users.ts';

/** Tells an invited person who invites him, before he sets a password. Looking does not use the link up. */
export async function showInvitation(
  ctx: Context,
  visitor: Visitor,
  { hash }: ParsedRequestOf<typeof openMailedLink>,
) {
  await consumeRateLimit(ctx, limits.openLinkFromAddress, visitor.ip);
  const link = await findLink(ctx.db, { tokenHash: hashSecret(hash), purposes: ['invitation'] });
  if (!link || link.used_at || link.expires_at <= ctx.clock.now()) refuse('not_found');
  const person = await getUser(ctx.db, link.user_id);
  const admin = person.admin_id ? await findUser(ctx.db, person.admin_id) : undefined;
  const invitedBy = admin ? `${admin.first_name} ${admin.last_name}` : ctx.config.operator.product;
  return {
    purpose: link.purpose,
    data: { first_name: person.first_name, email: person.email, invited_by: invitedBy },
  };
}
