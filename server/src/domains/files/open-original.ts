import type { downloadUploadedCsv, ParsedRequestOf } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import type { FileAnswer } from '../../handlers.ts';
import { refuse } from '../../refusal.ts';
import { originalKey } from './rules.ts';
import { findSheet } from './store.ts';

/** Byte for byte what was uploaded. */
export async function openOriginal(
  ctx: Context,
  { subjectId }: Acting,
  { id }: ParsedRequestOf<typeof downloadUploadedCsv>,
): Promise<FileAnswer> {
  const sheet = await findSheet(ctx.db, { id, userId: subjectId });
  if (!sheet) refuse('not_found');
  return {
    name: sheet.name,
    type: `text/csv; charset=${sheet.encoding}`,
    content: await ctx.files.open(originalKey(id)),
  };
}
