import type { ParsedRequestOf, resendLink } from '@rowmill/contract';
import type { Visitor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { consumeRateLimit } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { accountMail } from './jobs.ts';
import { getUser } from './store/users.ts';

/** Whether there is anything to send is found out by the job: the answer and its time are the same for every address. */
export async function resendVerification(
  ctx: Context,
  visitor: Visitor,
  request: ParsedRequestOf<typeof resendLink>,
) {
  const email =
    request.email ?? (visitor.actor ? (await getUser(ctx.db, visitor.actor.id)).email : undefined);
  if (!email) refuse('invalid_input', { fields: { email: 'Please enter an e-mail address.' } });
  await consumeRateLimit(ctx, limits.mailFromAddress, visitor.ip);
  await consumeRateLimit(ctx, limits.mailToAddress, email);
  await ctx.enqueue(ctx.db, accountMail({ kind: 'verification', email }));
  return { message: 'If this address waits for its verification, a new link is on its way.' };
}
