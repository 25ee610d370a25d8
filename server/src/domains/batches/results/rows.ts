import type { getRows, ParsedRequestOf } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import * as texts from '../../../texts/batches.ts';
import { readRowsAt } from '../../files/rows.ts';
import { getColumns } from '../../files/store.ts';
import { templateFor } from '../quote/plan.ts';
import { sheetRows } from '../slices/sizes.ts';
import { type BatchRow, findBatch } from '../store/batches.ts';
import { listResultsOf, listWaitingRows, type RowResult, searchResults } from '../store/results.ts';

type Request = ParsedRequestOf<typeof getRows>;

const waiting = { state: 'waiting', answer: null, problem: null } as const;

/** Rows of a batch with their cells, prompts and results. */
export async function listRows(ctx: Context, { subjectId }: ActingFor, request: Request) {
  const batch = await findBatch(ctx.db, { id: request.id, userId: subjectId });
  if (!batch) refuse('not_found');
  const { rows, results, total } = await selectRows(ctx, batch, request);
  const known = new Map(results.map((result) => [result.row, result]));
  const cells = await readRowsAt(ctx, batch.sheet_id, rows);
  const template = templateFor(batch, await getColumns(ctx.db, batch.sheet_id));
  const { maximumPromptLength } = ctx.config.sheets;
  return {
    total,
    rows: rows.map((row) => {
      const { state, answer, problem } = known.get(row) ?? waiting;
      const own = cells.get(row) ?? [];
      const prompt =
        template.fill(own, maximumPromptLength) ??
        texts.promptTooLong(template.lengthFor(own), maximumPromptLength);
      return { row, cells: own, prompt, state, answer, problem };
    }),
  };
}

interface SelectedRows {
  rows: number[];
  results: RowResult[];
  total: number;
}

/** A search looks in answers and problems; without a search or filter every row of the batch is listed. */
async function selectRows(ctx: Context, batch: BatchRow, request: Request): Promise<SelectedRows> {
  const { filter, search, start, limit } = request;
  const batchId = batch.id;
  if (filter === 'waiting') {
    const rows = await waitingRows(ctx, batch, { start, limit });
    return { rows, results: [], total: batch.rows - batch.answered - batch.failed };
  }
  if (filter !== 'all' || search !== '') {
    const found = await searchResults(ctx.db, { batchId, filter, search, start, limit });
    return { rows: found.map(({ row }) => row), results: found, total: found[0]?.total ?? 0 };
  }
  const rows = sheetRows(batch, {
    first: start,
    count: Math.max(0, Math.min(limit, batch.rows - start)),
  });
  return { rows, results: await listResultsOf(ctx.db, { batchId, rows }), total: batch.rows };
}

async function waitingRows(
  ctx: Context,
  batch: BatchRow,
  { start, limit }: { start: number; limit: number },
): Promise<number[]> {
  const { id: batchId, rows, selection } = batch;
  if (!selection) return listWaitingRows(ctx.db, { batchId, rows, start, limit });
  const results = await listResultsOf(ctx.db, { batchId, rows: selection });
  const done = new Set(results.map(({ row }) => row));
  return selection.filter((row) => !done.has(row)).slice(start, start + limit);
}
