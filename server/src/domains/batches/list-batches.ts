import type { getProcessedFiles, ParsedRequestOf } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { describeBatch } from './show-batch.ts';
import { listBatches } from './store/batches.ts';

export async function listOwnBatches(
  ctx: Context,
  { subjectId }: Acting,
  request: ParsedRequestOf<typeof getProcessedFiles>,
) {
  const { start, limit, search, state } = request;
  const rows = await listBatches(ctx.db, { userId: subjectId, start, limit, search, state });
  const files = [];
  for (const row of rows) files.push(await describeBatch(ctx, row));
  return { files, total: rows[0]?.total ?? 0 };
}
