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
/** The name without what `texts.nameAgain` adds, and the extension of its file. */
const parts = /^(.*?)(?: \(again(?: \d{1,4})?\))?(\.\w{1,5})?$/su;

/** A name that tells a batch from the one whose rows it runs again. */
export async function nameAgain(
  ctx: Context,
  { userId, sheetId, batch }: Again,
): Promise<string | undefined> {
  const earlier = await findBatch(ctx.db, { id: batch, userId });
  if (!earlier) return undefined;
  const [, base = '', extension = ''] = parts.exec(earlier.name) ?? [];
  const most = longestName - ` (again 9999)${extension}`.length;
  const name = base.slice(0, most).toWellFormed();
  const taken = new Set(await namesOfSheet(ctx.db, { userId, sheetId }));
  let time = 1;
  while (taken.has(texts.nameAgain({ name, extension, time }))) time++;
  return texts.nameAgain({ name, extension, time });
}
