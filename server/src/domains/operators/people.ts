import {
  can,
  type getPeople,
  isAssignable,
  type moveClient as moveClientCall,
  type ParsedRequestOf,
  type PersonSummary,
  roleName,
  type setRole,
  type setSuspended,
} from '@rowmill/contract';
import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import { refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { ensureLimits } from '../credits/store.ts';
import { reassignClient, releaseClients } from '../identity/accounts/clients.ts';
import { revokeAllAccess } from '../identity/email-links.ts';
import { accountEmail } from '../identity/jobs.ts';
import { findUser, lockUser, type UserRow, updateUser } from '../identity/store/users.ts';
import { searchPeople } from './store.ts';

export async function listPeople(
  ctx: Context,
  _: Actor,
  request: ParsedRequestOf<typeof getPeople>,
) {
  const rows = await searchPeople(ctx.db, request);
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
      creditsAvailable: row.available ?? 0,
      admin: row.admin_id && row.admin_name ? { id: row.admin_id, name: row.admin_name } : null,
    }),
  );
  return { people, total: rows[0]?.total ?? 0 };
}

/** Somebody over whom an operator decides: there, no operator himself, and so never the one who asks. */
export async function lockPerson(ctx: Context, actor: Actor, id: string): Promise<UserRow> {
  if (!(await findUser(ctx.db, id))) refuse('not_found');
  const person = await lockUser(ctx.db, id);
  if (person.id === actor.id || !isAssignable(person.role_id)) {
    refuse('not_now', {
      message: 'Operators are made and unmade on the machine itself, not here.',
    });
  }
  return person;
}

/** An admin has no admin, and a client no clients: whoever changes sides is released, and so are his. */
export async function changeRole(
  ctx: Context,
  actor: Actor,
  { user_id, role_id, reason }: ParsedRequestOf<typeof setRole>,
) {
  const person = await inTransaction(ctx, async (inside) => {
    const person = await lockPerson(inside, actor, user_id);
    if (person.role_id === role_id) return person;
    await reassignClient(inside, actor, { client: person, adminId: null, reason });
    await releaseClients(inside, actor, { adminId: person.id, reason });
    await updateUser(inside.db, person.id, { role_id });
    const detail = { role_id, reason };
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId: person.id,
      act: 'role_changed',
      detail,
    });
    record(ctx, 'role_changed', { user_id, actor_id: actor.id, role_id });
    return person;
  });
  const what = roleName(role_id) === 'admin' ? 'an admin' : 'a client';
  return { message: `${person.first_name} ${person.last_name} is ${what} now.` };
}

/** From the next call on he is looked after by another. What runs for him is his own, and goes on. */
export async function moveClient(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof moveClientCall>,
) {
  const { user_id, admin_id, reason } = request;
  const client = await inTransaction(ctx, async (inside) => {
    const client = await lockPerson(inside, actor, user_id);
    if (!can(client.role_id, 'belongToAdmin'))
      refuse('not_now', { message: 'Only a client can be given to an admin.' });
    const admin = admin_id === null ? null : await findUser(inside.db, admin_id);
    if (admin === undefined) refuse('not_found');
    if (admin && (!can(admin.role_id, 'manageClients') || admin.suspended_at)) {
      refuse('not_now', {
        message: 'Clients are looked after by an admin who is not suspended.',
        fields: { admin_id: 'Not an admin.' },
      });
    }
    if (admin) await ensureLimits(inside.db, client.id);
    await reassignClient(inside, actor, { client, adminId: admin?.id ?? null, reason });
    return client;
  });
  return { message: `${client.first_name} ${client.last_name} is moved.` };
}

/**
 * Ends every session and every open link at once; a sign-in is refused in words, and a mail says whom to ask. What runs was
 * paid for, and goes on.
 */
export async function suspendPerson(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof setSuspended>,
) {
  const { user_id, suspended, reason } = request;
  const person = await inTransaction(ctx, async (inside) => {
    const person = await lockPerson(inside, actor, user_id);
    if (Boolean(person.suspended_at) === suspended) return person;
    await updateUser(inside.db, person.id, { suspended_at: suspended ? ctx.clock.now() : null });
    if (suspended) await revokeAllAccess(inside, person.id);
    const act = suspended ? 'person_suspended' : 'person_unsuspended';
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId: person.id,
      act,
      detail: { reason },
    });
    const kind = suspended ? 'suspended' : 'readmitted';
    await ctx.enqueue(
      inside.db,
      accountEmail({ kind, email: person.email, userId: person.id, reason }),
    );
    record(ctx, suspended ? 'suspended' : 'unsuspended', { user_id, actor_id: actor.id });
    return person;
  });
  const name = `${person.first_name} ${person.last_name}`;
  return {
    message: suspended ? `${name} is suspended and signed out.` : `${name} may sign in again.`,
  };
}
