import type { Context } from '../../../core/context.ts';
import { findCooldown, upsertCooldown } from '../store/cooldowns.ts';

/** Stored so that a restart does not forget when the provider may be called again. */
export async function saveCooldown(
  ctx: Context,
  cooldown: { model: string; until: Date },
): Promise<void> {
  await upsertCooldown(ctx.db, cooldown);
}

export async function loadCooldown(ctx: Context, model: string): Promise<Date | undefined> {
  return (await findCooldown(ctx.db, model))?.until;
}
