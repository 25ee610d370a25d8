import type { LinkPurpose } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { after } from '../../lib/clock.ts';
import { hashSecret, newId, newSecret } from '../../lib/ids.ts';
import { linkLifetime } from './rules.ts';
import { replaceLink } from './store/links.ts';

/** Opens a way in for one person and one purpose. Its token goes into a mail and is kept nowhere else. */
export async function openLink(
  ctx: Pick<Context, 'db' | 'clock'>,
  { userId, purpose }: { userId: string; purpose: LinkPurpose & keyof typeof linkLifetime },
) {
  const token = newSecret();
  const now = ctx.clock.now();
  await inTransaction(ctx, ({ db }) =>
    replaceLink(db, {
      id: newId(now),
      user_id: userId,
      purpose,
      token_hash: hashSecret(token),
      created_at: now,
      expires_at: after(now, linkLifetime[purpose]),
    }),
  );
  return token;
}
