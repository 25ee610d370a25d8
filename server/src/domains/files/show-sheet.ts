import type { getFile, ParsedRequestOf } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { readSheetRows } from './read-sheet-rows.ts';
import { presentSheet } from './rules.ts';
import { findSheet } from './store.ts';

export async function showSheet(
  ctx: Context,
  { subjectId }: Acting,
  request: ParsedRequestOf<typeof getFile>,
) {
  const { id, start, limit } = request;
  const sheet = await findSheet(ctx.db, { id, userId: subjectId });
  if (!sheet) refuse('not_found');
  const count = Math.min(limit, Math.max(0, sheet.rows - start));
  return {
    file: presentSheet(sheet),
    rows: await readSheetRows(ctx, { sheetId: id, first: start, count }),
  };
}
