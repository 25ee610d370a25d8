import type { Context } from '../../context.ts';
import { removeFiles } from './jobs.ts';
import { hasBatches, lockSheet, updateSheet } from './store.ts';

/** Deletes a sheet that no batch uses any more: its bytes, its rows, and whatever its record tells of them. */
export async function forgetSheet(ctx: Context, sheetId: string): Promise<void> {
  // A batch that is being made of it now is seen then.
  await lockSheet(ctx.db, sheetId);
  if (await hasBatches(ctx.db, sheetId)) return;
  const nothing = {
    sample: '[]',
    report: '{"problems":[],"total":0}',
    candidates: '[]',
    metadata: '{}',
    name: '',
    columns: '[]',
  };
  await updateSheet(ctx.db, sheetId, { ...nothing, deleted_at: ctx.clock.now() });
  await ctx.enqueue(ctx.db, removeFiles(sheetId));
}
