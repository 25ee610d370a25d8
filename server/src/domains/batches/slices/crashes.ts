import type { Context } from '../../../core/context.ts';
import { countCrashes, type SliceKey, saveQuarantinedRows } from '../store/slices.ts';

/** Counts a crash for slices whose process ended without releasing them. */
export async function recordCrashes(ctx: Context, slices: readonly SliceKey[]): Promise<void> {
  if (slices.length === 0) return;
  await countCrashes(ctx.db, slices);
  ctx.log.warn({ slices }, 'a process ended while it held these slices');
}

/** Before the rows of a suspected slice are sent: a crash now counts against them. */
export async function recordQuarantinedRows(
  ctx: Context,
  quarantined: SliceKey & { rows: readonly number[] },
): Promise<void> {
  await saveQuarantinedRows(ctx.db, quarantined);
}
