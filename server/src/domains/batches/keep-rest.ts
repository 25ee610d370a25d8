import type { Context } from '../../context.ts';
import { findRest, saveRest } from './store/rests.ts';

/** Until when a provider wants to be left alone; a restart must not forget it. */
export async function keepRest(ctx: Context, rest: { model: string; until: Date }): Promise<void> {
  await saveRest(ctx.db, rest);
}

export async function lastRest(ctx: Context, model: string): Promise<Date | undefined> {
  return (await findRest(ctx.db, model))?.until;
}
