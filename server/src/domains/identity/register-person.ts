import { type ParsedRequestOf, type registerUser, roles } from '@rowmill/contract';
import type { Visitor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import { newId } from '../../lib/ids.ts';
import { consumeRateLimit } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { accountMail } from './jobs.ts';
import { refuseWeakPassword } from './refuse-weak-password.ts';
import { insertUser } from './store/users.ts';

type Request = ParsedRequestOf<typeof registerUser>;

/** Says the same to everybody; whether the address was known, only its inbox learns. */
export async function registerPerson(
  ctx: Context,
  visitor: Visitor,
  request: Request,
): Promise<{ message: string }> {
  await consumeRateLimit(ctx, limits.registerFromAddress, visitor.ip);
  await consumeRateLimit(ctx, limits.mailToAddress, request.email);
  await refuseWeakPassword(request.password, [
    request.email,
    request.first_name,
    request.last_name,
    ctx.config.operator.product,
  ]);
  const passwordHash = await ctx.passwords.hash(request.password);
  await inTransaction(ctx, (inside) => keep(inside, request, passwordHash));
  return {
    message: `Please look into the inbox of ${request.email}: we have sent you a link to go on.`,
  };
}

async function keep(ctx: Context, request: Request, passwordHash: string): Promise<void> {
  const now = ctx.clock.now();
  const user = await insertUser(ctx.db, {
    id: newId(now),
    email: request.email,
    first_name: request.first_name,
    last_name: request.last_name,
    phone: request.phone ?? '',
    password_hash: passwordHash,
    role_id: roles.client,
    admin_id: null,
    email_verified_at: null,
    created_at: now,
  });
  await ctx.enqueue(
    ctx.db,
    accountMail({ kind: user ? 'verification' : 'known_address', email: request.email }),
  );
  if (user) record(ctx, 'registered', { user_id: user.id });
}
