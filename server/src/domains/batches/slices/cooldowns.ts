import type { Context } from '../../../core/context.ts';
import { findRest, saveRest } from '../store/cooldowns.ts';

/** Until when a provider wants to be left alone; a restart must not forget it. */
export async function saveCooldown(
  ctx: Context,
  rest: { model: string; until: Date },
): Promise<void> {
  await saveRest(ctx.db, rest);
}

export async function loadCooldown(ctx: Context, model: string): Promise<Date | undefined> {
  return (await findRest(ctx.db, model))?.until;
}
