import { answerMarks, type getRows, marksIn, type ParsedRequestOf } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { pauseEvery, yieldMilliseconds } from '../../../lib/pause.ts';
import * as texts from '../../../texts/batches.ts';
import { readRowsAt } from '../../files/rows.ts';
import { getColumns } from '../../files/store.ts';
import { templateFor } from '../quote/plan.ts';
import { sheetRows } from '../slices/sizes.ts';
import { type BatchRow, findBatch } from '../store/batches.ts';
import {
  listDoneRows,
  listEarlierProblems,
  listMatchingRows,
  listResultsOf,
  type RowResult,
} from '../store/results.ts';

type Request = ParsedRequestOf<typeof getRows>;

const waiting = { state: 'waiting', answer: null, problem: null, marks: 0 } as const;

/** Rows of a batch with their cells, prompts and results. */
export async function listRows(ctx: Context, { subjectId }: ActingFor, request: Request) {
  const batch = await findBatch(ctx.db, { id: request.id, userId: subjectId });
  if (!batch) refuse('not_found');
  const start = startOf(batch, request);
  const { rows, results, total } = await selectRows(ctx, batch, { ...request, start });
  const known = new Map(results.map((result) => [result.row, result]));
  const open = rows.filter((row) => known.get(row)?.state !== 'answered');
  const earlier = await listEarlierProblems(ctx.db, { batchId: batch.id, rows: open });
  const cells = await readRowsAt(ctx, batch.sheet_id, rows);
  const template = templateFor(batch, await getColumns(ctx.db, batch.sheet_id));
  const { maximumPromptLength } = ctx.config.sheets;
  const shown = [];
  const pause = pauseEvery(yieldMilliseconds);
  for (const row of rows) {
    await pause();
    const { state, answer, problem, marks = 0 } = known.get(row) ?? waiting;
    const own = cells.get(row) ?? [];
    const prompt =
      template.fill(own, maximumPromptLength) ??
      texts.promptTooLong(template.lengthFor(own), maximumPromptLength);
    const earlier_problem = earlier.get(row) ?? null;
    shown.push({
      row,
      cells: own,
      prompt,
      state,
      answer,
      problem,
      marks: marksIn(marks),
      earlier_problem,
    });
  }
  return { total, start, rows: shown };
}

/** Where the list starts: at a row of the sheet if one is asked for. */
function startOf(batch: BatchRow, { row, start }: Request): number {
  if (row === undefined) return start;
  const position = batch.selection ? batch.selection.indexOf(row) : row;
  if (position < 0 || position >= batch.rows) refuse('not_found');
  return position;
}

interface SelectedRows {
  rows: number[];
  results: RowResult[];
  total: number;
}

/** A search looks in answers and problems; without a search or filter every row of the batch is listed. */
async function selectRows(ctx: Context, batch: BatchRow, request: Request): Promise<SelectedRows> {
  const { filter, search, start, limit } = request;
  if (filter !== 'all' || search !== '') {
    const { rows, total } = await findRows(ctx, batch, request);
    return { rows, results: await listResultsOf(ctx.db, { batchId: batch.id, rows }), total };
  }
  const rows = sheetRows(batch, {
    first: start,
    count: Math.max(0, Math.min(limit, batch.rows - start)),
  });
  return {
    rows,
    results: await listResultsOf(ctx.db, { batchId: batch.id, rows }),
    total: batch.rows,
  };
}

/** A statement looks at as many rows as take about this long, so that others get their turns in between. */
const statementMilliseconds = 25;
const fewestRows = 1_000;

/** A page of the rows that match, and how many match in all. */
async function findRows(
  ctx: Context,
  batch: BatchRow,
  request: Request,
): Promise<Omit<SelectedRows, 'results'>> {
  const { start, limit } = request;
  const knownTotal = countOf(batch, request);
  const end = batch.selection ? (batch.selection.at(-1) ?? -1) + 1 : batch.rows;
  const page: number[] = [];
  let passed = 0;
  let step = fewestRows;
  for (let first = 0; first < end; ) {
    if (knownTotal !== null && page.length === limit) break;
    const startedAt = performance.now();
    const last = Math.min(first + step, end) - 1;
    const found = await matchingRows(ctx, batch, { ...request, first, last });
    page.push(...found.slice(Math.max(0, start - passed), Math.max(0, start + limit - passed)));
    passed += found.length;
    first = last + 1;
    const isQuick = performance.now() - startedAt < statementMilliseconds;
    step = isQuick ? step * 2 : Math.max(fewestRows, Math.floor(step / 2));
  }
  return { rows: page, total: knownTotal ?? passed };
}

/** The batch counts its results by state and mark; only a search has to count. */
function countOf(batch: BatchRow, { filter, search }: Request): number | null {
  if (filter === 'waiting') return batch.rows - batch.answered - batch.failed;
  if (search !== '' || filter === 'all') return null;
  if (filter === 'answered' || filter === 'failed' || filter === 'marked') return batch[filter];
  return batch.mark_counts[answerMarks.indexOf(filter)] ?? 0;
}

async function matchingRows(
  ctx: Context,
  { id: batchId, selection }: BatchRow,
  { filter, search, first, last }: Request & { first: number; last: number },
): Promise<number[]> {
  if (filter !== 'waiting')
    return listMatchingRows(ctx.db, { batchId, first, last, filter, search });
  const done = new Set(await listDoneRows(ctx.db, { batchId, first, last }));
  const rows = selection
    ? selection.filter((row) => row >= first && row <= last)
    : Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return rows.filter((row) => !done.has(row));
}
