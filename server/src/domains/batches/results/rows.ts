import type { getRows, ParsedRequestOf } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { getColumns } from '../../files/store.ts';
import { promptOf, rowsAt } from '../rules.ts';
import { cellsOf } from '../slices/lease.ts';
import { type BatchRow, findBatch } from '../store/batches.ts';
import { listResultsOf, listWaitingRows, type RowResult, searchResults } from '../store/results.ts';

type Request = ParsedRequestOf<typeof getRows>;

/** Rows of a batch with their cells, their prompts, and what came of them. */
export async function listRows(ctx: Context, { subjectId }: ActingFor, request: Request) {
  const batch = await findBatch(ctx.db, { id: request.id, userId: subjectId });
  if (!batch) refuse('not_found');
  const { rows, results, total } = await select(ctx, batch, request);
  const known = new Map(results.map((result) => [result.row, result]));
  const cells = await cellsOf(ctx, batch.sheet_id, rows);
  const columns = await getColumns(ctx.db, batch.sheet_id);
  const render = promptOf(batch, columns);
  return {
    total,
    rows: rows.map((row) => {
      const { state, answer, problem } = known.get(row) ?? waiting;
      const own = cells.get(row) ?? [];
      return { row, cells: own, prompt: render(own), state, answer, problem };
    }),
  };
}

const waiting = { state: 'waiting', answer: null, problem: null } as const;

interface Selected {
  rows: number[];
  results: RowResult[];
  total: number;
}

/** Words are looked for in answers and problems; without words, every wanted row has its place. */
async function select(ctx: Context, batch: BatchRow, request: Request): Promise<Selected> {
  const { filter, search, start, limit } = request;
  const batchId = batch.id;
  if (filter === 'waiting') {
    const waiting = await waitingRows(ctx, batch, { start, limit });
    return { rows: waiting, results: [], total: batch.rows - batch.answered - batch.failed };
  }
  if (filter !== 'all' || search !== '') {
    const found = await searchResults(ctx.db, { batchId, filter, search, start, limit });
    return { rows: found.map(({ row }) => row), results: found, total: found[0]?.total ?? 0 };
  }
  const rows = rowsAt(batch, {
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
  if (!batch.selection)
    return listWaitingRows(ctx.db, { batchId: batch.id, rows: batch.rows, start, limit });
  const done = new Set(
    (await listResultsOf(ctx.db, { batchId: batch.id, rows: batch.selection })).map(
      ({ row }) => row,
    ),
  );
  return batch.selection.filter((row) => !done.has(row)).slice(start, start + limit);
}
