import type { Context } from '../../../core/context.ts';
import { countCrash, type Slice, saveTrial } from '../store/slices.ts';

/** Whoever held these slices has died. Of a process that ends well no slice is left in hand. */
export async function recordCrashes(ctx: Context, slices: readonly Slice[]): Promise<void> {
  if (slices.length === 0) return;
  await countCrash(ctx.db, slices);
  ctx.log.warn({ slices }, 'slices were in the hands of a process that has died');
}

/** Before these rows of a suspect slice are sent: should the process die now, they are accused. */
export async function recordQuarantinedRows(
  ctx: Context,
  trial: Slice & { rows: readonly number[] },
): Promise<void> {
  await saveTrial(ctx.db, trial);
}
