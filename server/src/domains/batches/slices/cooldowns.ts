import type { Context } from '../../../core/context.ts';
import { findCooldown, upsertCooldown } from '../store/cooldowns.ts';

/** Stores a cooldown for the next start and publishes it to the other processes. */
export async function saveCooldown(
  ctx: Context,
  cooldown: { model: string; until: Date },
): Promise<void> {
  await upsertCooldown(ctx.db, cooldown);
  const { model, until } = cooldown;
  await ctx.publish(ctx.db, { user_id: '', cooldown: { model, until: until.getTime() } });
}

export async function loadCooldown(ctx: Context, model: string): Promise<Date | undefined> {
  return (await findCooldown(ctx.db, model))?.until;
}
