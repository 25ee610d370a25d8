import type { Context } from '../../context.ts';
import { findAccount } from './store.ts';

/** The submissions that a person can use now. Somebody who never had any has no account, and none. */
export async function getBalance(ctx: Context, userId: string): Promise<number> {
  return (await findAccount(ctx.db, userId))?.available ?? 0;
}
