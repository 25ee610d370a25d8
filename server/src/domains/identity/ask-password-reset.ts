import type { ParsedRequestOf, sendResetLinkEmail } from '@rowmill/contract';
import type { Visitor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { consumeRateLimit } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { accountMail } from './jobs.ts';

/** Does the same for every address; the job that follows finds out whether there is an account. */
export async function askPasswordReset(
  ctx: Context,
  visitor: Visitor,
  { email }: ParsedRequestOf<typeof sendResetLinkEmail>,
) {
  await consumeRateLimit(ctx, limits.mailFromAddress, visitor.ip);
  await consumeRateLimit(ctx, limits.mailToAddress, email);
  await ctx.enqueue(ctx.db, accountMail({ kind: 'reset', email }));
  return {
    message: 'If there is an account for this address, a link to set a new password is on its way.',
  };
}
