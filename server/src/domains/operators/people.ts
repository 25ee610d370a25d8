import { can, isAssignable, type PersonSummary, roleName } from '@rowmill/contract';
import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import * as texts from '../../texts/operators.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { ensureLimits } from '../credits/store.ts';
import { reassignClient, releaseClients } from '../identity/accounts/clients.ts';
import { revokeAllAccess } from '../identity/email-links.ts';
import { accountEmail } from '../identity/emails.ts';
import {
  findUser,
  lockUser,
  lockUserShared,
  type UserRow,
  updateUser,
} from '../identity/store/users.ts';
import { searchPeople } from './store/people.ts';

export const listPeople: Handler<'getPeople'> = async (ctx, _, request) => {
  const { rows, total, searched } = await searchPeople(ctx.db, {
    ...request,
    now: ctx.clock.now(),
  });
  const people = rows.map(
    (row): PersonSummary => ({
      id: row.id,
      first_name: row.first_name,
      last_name: row.last_name,
      email: row.email,
      role_id: row.role_id,
      email_verified_at: row.email_verified_at?.toISOString() ?? null,
      suspended_at: row.suspended_at?.toISOString() ?? null,
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
      plan: row.plan,
      creditsAvailable: row.available ?? 0,
      debt: row.debt ?? 0,
      admin: row.admin_id && row.admin_name ? { id: row.admin_id, name: row.admin_name } : null,
    }),
  );
  return { people, total, ...(searched && { searched }) };
};

/** Operators cannot change operators, so none can lock out the others or themselves. */
async function lockPerson(ctx: Context, actor: Actor, id: string): Promise<UserRow> {
  if (!(await findUser(ctx.db, id))) refuse('not_found');
  const person = await lockUser(ctx.db, id);
  if (person.deleted_at) refuse('not_found');
  if (person.id === actor.id || !isAssignable(person.role_id))
    refuse('not_now', { message: texts.refused.not_now.operator });
  return person;
}

/** Admins have no admin and clients have no clients, so a change of role ends both relations. */
export const changeRole: Handler<'setRole'> = async (ctx, actor, { user_id, role_id, reason }) => {
  const person = await inTransaction(ctx, async (ctx) => {
    const person = await lockPerson(ctx, actor, user_id);
    if (person.role_id === role_id) return person;
    await reassignClient(ctx, actor, { client: person, adminId: null, reason });
    await releaseClients(ctx, actor, { adminId: person.id, reason });
    await updateUser(ctx.db, person.id, { role_id });
    await writeAuditEntry(ctx, { actor, subjectId: person.id }, 'role_changed', {
      role_id,
      reason,
    });
    await ctx.publish(ctx.db, { user_id, role_id });
    record(ctx, 'role_changed', { user_id, actor_id: actor.id, role_id });
    return person;
  });
  return { message: texts.roleChanged(person, roleName(role_id)) };
};

/** Takes effect at the next call. The client's batches are their own and keep running. */
export const moveClient: Handler<'moveClient'> = async (
  ctx,
  actor,
  { user_id, admin_id, reason },
) => {
  const client = await inTransaction(ctx, async (ctx) => {
    // The admin is locked before the client, as when the admin loses all clients.
    const admin = admin_id === null ? null : await lockUserShared(ctx.db, admin_id);
    const client = await lockPerson(ctx, actor, user_id);
    if (!can(client.role_id, 'belongToAdmin'))
      refuse('not_now', { message: texts.refused.not_now.notAClient });
    if (admin === undefined) refuse('not_found');
    if (admin && (!can(admin.role_id, 'manageClients') || admin.suspended_at))
      refuse('not_now', texts.refused.not_now.notAnAdmin);
    await reassignClient(ctx, actor, { client, adminId: admin?.id ?? null, reason });
    if (admin) await ensureLimits(ctx.db, client.id);
    return client;
  });
  return { message: texts.managerChanged(client) };
};

/** Suspending ends all sessions and links at once. Running batches are paid for and continue. */
export const suspendPerson: Handler<'setSuspended'> = async (
  ctx,
  actor,
  { user_id, suspended, reason },
) => {
  const person = await inTransaction(ctx, async (ctx) => {
    const person = await lockPerson(ctx, actor, user_id);
    if (Boolean(person.suspended_at) === suspended) return person;
    await updateUser(ctx.db, person.id, { suspended_at: suspended ? ctx.clock.now() : null });
    if (suspended) await revokeAllAccess(ctx, person.id);
    await writeAuditEntry(
      ctx,
      { actor, subjectId: person.id },
      suspended ? 'person_suspended' : 'person_unsuspended',
      { reason },
    );
    const kind = suspended ? 'suspended' : 'readmitted';
    await ctx.enqueue(
      ctx.db,
      accountEmail({ kind, email: person.email, userId: person.id, reason }),
    );
    record(ctx, suspended ? 'suspended' : 'unsuspended', { user_id, actor_id: actor.id });
    return person;
  });
  return { message: suspended ? texts.suspended(person) : texts.unsuspended(person) };
};
