import { type CallRequest, type RoleId, roles } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import type { Handler } from '../../../core/handlers.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { newId } from '../../../lib/ids.ts';
import { madeOperator, registered } from '../../../texts/identity.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { consumeRateLimit, rateLimits, siteOf } from '../../requests/rate-limits.ts';
import { issueEmailLink } from '../email-links.ts';
import { accountEmail } from '../emails.ts';
import { refuseWeakPassword } from '../passwords/policy.ts';
import { findUserByEmail, insertUser, updateUser } from '../store/users.ts';
import { setAdmin } from './clients.ts';

type Request = CallRequest<'registerUser'>;

/** The answer is the same for every address; only the inbox learns whether it has an account. */
export const registerPerson: Handler<'registerUser'> = async (ctx, visitor, request) => {
  await consumeRateLimit(ctx, rateLimits.registrationPerNetwork, visitor.ip);
  await consumeRateLimit(ctx, rateLimits.registrationPerSite, siteOf(visitor.ip));
  await refuseWeakPassword(request.password, request, ctx.config.operator.product);
  await consumeRateLimit(ctx, rateLimits.emailPerAddress, `registration ${request.email}`);
  const passwordHash = await ctx.passwords.hash(request.password, siteOf(visitor.ip));
  await inTransaction(ctx, (ctx) => createAccount(ctx, request, passwordHash));
  return { message: registered(request.email) };
};

async function createAccount(ctx: Context, request: Request, passwordHash: string): Promise<void> {
  const now = ctx.clock.now();
  const user = await insertUser(ctx.db, {
    id: newId(now),
    email: request.email,
    first_name: request.first_name,
    last_name: request.last_name,
    phone: request.phone ?? '',
    password_hash: passwordHash,
    role_id: roles.client,
    created_at: now,
  });
  await ctx.enqueue(
    ctx.db,
    accountEmail({ kind: user ? 'verification' : 'known_address', email: request.email }),
  );
  if (user) record(ctx, 'registered', { user_id: user.id });
}

interface SeededUser {
  email: string;
  first_name: string;
  last_name: string;
  roleId: RoleId;
  adminId: string | null;
  passwordHash: string;
}

/** Creates a verified person, for the demo and tests. Undefined: the address is taken. */
export async function seedUser(
  ctx: Context,
  { roleId, adminId, passwordHash, ...person }: SeededUser,
): Promise<string | undefined> {
  const now = ctx.clock.now();
  const user = await insertUser(ctx.db, {
    ...person,
    id: newId(now),
    phone: '',
    password_hash: passwordHash,
    role_id: roleId,
    admin_id: adminId,
    email_verified_at: now,
    created_at: now,
  });
  return user?.id;
}

/** Makes a person an operator, and returns the token of a link to set their password. */
export async function makeOperator(
  ctx: Pick<Context, 'db' | 'clock' | 'requestId'>,
  email: string,
): Promise<string> {
  return inTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now();
    const known = await findUserByEmail(ctx.db, email);
    if (known) await setAdmin(ctx, known, { client: known, adminId: null, reason: madeOperator });
    const person = known
      ? await updateUser(ctx.db, known.id, { role_id: roles.operator, suspended_at: null })
      : await insertUser(ctx.db, {
          id: newId(now),
          email,
          first_name: 'Operator',
          last_name: email.split('@')[0] ?? '',
          phone: '',
          role_id: roles.operator,
          created_at: now,
        });
    if (!person) throw new Error(`The address ${email} belongs to a deleted account.`);
    await writeAuditEntry(ctx, { actor: person, subjectId: person.id }, 'operator_made');
    return issueEmailLink(ctx, { userId: person.id, purpose: 'invitation' });
  });
}
