import {
  answerMarks,
  type CallRequest,
  isRowState,
  marksIn,
  type RowFilter,
} from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { pauseEvery, yieldMilliseconds } from '../../../lib/event-loop.ts';
import * as texts from '../../../texts/batches.ts';
import { readRowsAt } from '../../files/rows.ts';
import { getColumns } from '../../files/store.ts';
import { tokensOf } from '../../prompts/token-columns.ts';
import { templateFor } from '../quote/plan.ts';
import { selectedRows, sheetRows } from '../slices/sizes.ts';
import { type BatchRow, findBatch, openRows } from '../store/batches.ts';
import { listEarlierProblems, listResultsOf, type RowResult } from '../store/results.ts';
import { countValues, findRows } from './find-rows.ts';
import { planScan } from './row-tests.ts';
import { scanRows } from './scan-rows.ts';

type Request = CallRequest<'getRows'>;

const waiting = { state: 'waiting', answer: null, problem: null, marks: 0 } as const;

/** Rows of a batch with their cells, prompts and results. */
export const listRows: Handler<'getRows'> = async (ctx, { subjectId }, request) => {
  const batch = await findBatch(ctx.db, { id: request.id, userId: subjectId });
  if (!batch) refuse('not_found');
  const start = await startOf(ctx, batch, request);
  const { rows, total } = await findPage(ctx, batch, { ...request, start });
  const results = await listResultsOf(ctx.db, { batchId: batch.id, rows });
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
    const result: Omit<RowResult, 'row' | 'state'> & { state: RowResult['state'] | 'waiting' } =
      known.get(row) ?? waiting;
    const { state, answer, problem, marks = 0, answered_by = null } = result;
    const { judgement = null, note = null, correction = null } = result;
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
      judgement,
      note,
      correction,
      marks: marksIn(marks),
      earlier_problem,
      tokens: tokensOf(result),
      charge: state === 'answered' ? (result.charge ?? batch.price) : null,
      answered_by,
    });
  }
  const { count: column } = request;
  if (!column) return { total, start, rows: shown };
  const values = await countValues(ctx, batch, { search: searchOf(request), column });
  return { total, start, rows: shown, values };
};

/** Where the list starts: at a row of the sheet if the request names one. */
async function startOf(ctx: Context, batch: BatchRow, request: Request): Promise<number> {
  const { row, start, sort } = request;
  if (row === undefined) return start;
  const listed = isEveryRow(request)
    ? selectedRows(batch)
    : await findRows(ctx, batch, { search: searchOf(request), sort });
  const position = listed?.indexOf(row) ?? row;
  if (position < 0 || position >= batch.rows) refuse('not_found');
  return position;
}

/** All rows in the order of the sheet, which no scan needs to find. */
const isEveryRow = (request: Request) => request.filter === 'all' && !needsScan(request);
/** A filter alone is paged without a list of all that it finds. */
const needsScan = ({ search, conditions, sort }: Request) =>
  search !== '' || conditions.length > 0 || sort !== undefined;

const searchOf = ({ filter, search, conditions }: Request) => ({ filter, search, conditions });

/** Without a search every row of the batch is listed, or those with a state or mark. */
async function findPage(ctx: Context, batch: BatchRow, request: Request) {
  const { filter, sort, count: column, start, limit } = request;
  if (needsScan(request)) {
    const found = await findRows(ctx, batch, { search: searchOf(request), sort, count: column });
    return { rows: [...found.subarray(start, start + limit)], total: found.length };
  }
  if (filter !== 'all') return findFilteredPage(ctx, batch, { filter, start, limit });
  const count = Math.max(0, Math.min(limit, batch.rows - start));
  return { rows: sheetRows(batch, { first: start, count }), total: batch.rows };
}

type RowsFilter = Exclude<RowFilter, 'all'>;

interface FilterPage {
  filter: RowsFilter;
  start: number;
  limit: number;
}

/** The batch knows how many rows have a state or mark, so the scan ends with the page. */
async function findFilteredPage(ctx: Context, batch: BatchRow, wanted: FilterPage) {
  const { filter, start, limit } = wanted;
  const { outputs } = batch.options;
  const rows: number[] = [];
  let passed = 0;
  await scanRows(ctx, batch, {
    plan: planScan({ filter, search: '', conditions: [] }, { outputs, others: [] }),
    onFound: ({ row }) => {
      if (passed++ >= start) rows.push(row);
    },
    isEnough: () => rows.length >= limit,
  });
  return { rows: rows.slice(0, limit), total: countOf(batch, filter) };
}

/** The batch counts its results by state and mark. */
function countOf(batch: BatchRow, filter: RowsFilter): number {
  if (filter === 'waiting') return openRows(batch);
  if (filter === 'marked' || isRowState(filter)) return batch[filter];
  return batch.mark_counts[answerMarks.indexOf(filter)] ?? 0;
}
