import type { Context } from '../../../core/context.ts';
import * as texts from '../../../texts/batches.ts';
import { findBatch, namesOfSheet } from '../store/batches.ts';

interface Again {
  userId: string;
  sheetId: string;
  /** The batch whose rows run again. */
  batch: string;
}

const longestName = 200;
/** What `texts.nameAgain` adds, which is not added twice. */
const addition = / \(again(?: \d{1,4})?\)$/;

/** A name that tells a batch from the one whose rows it runs again. */
export async function nameAgain(
  ctx: Context,
  { userId, sheetId, batch }: Again,
): Promise<string | undefined> {
  const earlier = await findBatch(ctx.db, { id: batch, userId });
  if (!earlier) return undefined;
  const name = earlier.name.replace(addition, '').slice(0, longestName - ' (again 9999)'.length);
  const taken = new Set(await namesOfSheet(ctx.db, { userId, sheetId }));
  let time = 1;
  while (taken.has(texts.nameAgain(name, time))) time++;
  return texts.nameAgain(name, time);
}
