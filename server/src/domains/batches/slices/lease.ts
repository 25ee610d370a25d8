import type { PromptTemplate, RowState } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import { inTransaction } from '../../../db/transaction.ts';
import * as texts from '../../../texts/batches.ts';
import { eachRowAt, UnreadableSheet } from '../../files/rows.ts';
import { getColumns } from '../../files/store.ts';
import { pauseByEngine } from '../lifecycle/engine-pause.ts';
import { releaseCredits } from '../lifecycle/reserve-credits.ts';
import { triedMilliseconds } from '../quote/estimate-run.ts';
import { templateFor } from '../quote/plan.ts';
import { type BatchRow, findBatchById, lockBatch, openRows } from '../store/batches.ts';
import { sumOpenRows } from '../store/list-batches.ts';
import { listDoneRows } from '../store/results.ts';
import { findSlice, releaseSlice } from '../store/slices.ts';
import { countUnusable } from '../unusable-rows.ts';
import { queueSlices } from './queue.ts';
import { crashesBeforeQuarantine, maximumRowCrashes, sheetRows, sliceQueueName } from './sizes.ts';

/** Characters of the cells that a slice keeps in memory, for each of its rows on average. */
const keptCharactersPerRow = 4_096;

export interface RowToSend {
  row: number;
  /** Builds the prompt when it is sent: a slice of long prompts would fill the memory. */
  fillPrompt?: () => string;
  /** For cells that are too long to be kept: reads them again. */
  readPrompt?: () => Promise<() => string>;
}

export interface ReadRows {
  rows: RowToSend[];
  /** Rows that are not sent and cost nothing. */
  unasked: UnaskedRow[];
}

export interface UnaskedRow {
  row: number;
  state: Exclude<RowState, 'answered'>;
  problem: string;
}

/** Open rows that are asked until its batch is done. Only those of its lane share the limits. */
export interface RowsAhead {
  ofKey: number;
  ofLane: number;
  /** Of an answer, as it was tried. */
  triedMilliseconds: number | null;
}

const noRowsAhead: RowsAhead = { ofKey: 0, ofLane: 0, triedMilliseconds: null };

export interface FetchedSlice extends ReadRows {
  batch: BatchRow;
  first: number;
  /** Counted for an economy batch. */
  rowsAhead: RowsAhead;
  /** What the prompt says in every row. */
  fixedParts: readonly string[];
  /** Several processes ended while they held it, so its rows are read and sent in quarantine. */
  isSuspected: boolean;
  /** Rows that quarantine will `read`, because reading them may end the process. */
  unread: number[];
  read: (rows: readonly number[]) => Promise<ReadRows | null>;
  /** By row: how often a process ended while the row was in quarantine. */
  crashCounts: Readonly<Record<number, number>>;
}

/** The rows of a leased slice without a result, with their prompts. Null: it does not run. */
export async function fetchSlice(
  ctx: Context,
  { batchId, first }: { batchId: string; first: number },
): Promise<FetchedSlice | null> {
  const batch = await findBatchById(ctx.db, batchId);
  const slice = await findSlice(ctx.db, { batchId, first });
  if (batch?.state !== 'running' || slice?.state !== 'queued') return null;
  const all = sheetRows(batch, slice);
  const done = new Set(
    await listDoneRows(ctx.db, { batchId, first: all[0] ?? 0, last: all.at(-1) ?? 0 }),
  );
  const open = all.filter((row) => !done.has(row));
  const template = templateFor(batch, await getColumns(ctx.db, batch.sheet_id));
  const read = (rows: readonly number[]) => readOrPause(ctx, { batch, template, rows });
  const { fixedParts } = template;
  const { finish_by: due } = batch;
  const rowsAhead = due ? await countRowsAhead(ctx, batch, due) : noRowsAhead;
  const common = { batch, first, rowsAhead, fixedParts, read, crashCounts: slice.row_crash_counts };
  if (slice.crash_count < crashesBeforeQuarantine) {
    const readRows = await read(open);
    return readRows && { ...common, ...readRows, isSuspected: false, unread: [] };
  }
  const crashesOf = (row: number) => slice.row_crash_counts[row] ?? 0;
  const isFailed = (row: number) => crashesOf(row) >= maximumRowCrashes;
  const unasked = open
    .filter(isFailed)
    .map((row) => ({ row, ...failed(texts.crashedTooOften(crashesOf(row))) }));
  const unread = open.filter((row) => !isFailed(row));
  return { ...common, rows: [], unasked, isSuspected: true, unread };
}

/** Each running batch gets an equal part of the calls, and no more than it has rows. */
async function countRowsAhead(ctx: Context, batch: BatchRow, due: Date): Promise<RowsAhead> {
  const { db, models } = ctx;
  const byModel = await sumOpenRows(db, openRows(batch), due);
  const sumBy = (nameOf: (model: string) => string) =>
    byModel
      .filter(({ model }) => nameOf(model) === nameOf(batch.model))
      .reduce((sum, { rows }) => sum + rows, 0);
  return {
    ofKey: sumBy((model) => models.keyOf(model)),
    ofLane: sumBy((model) => models.laneOf(model).name),
    triedMilliseconds: triedMilliseconds(ctx, batch),
  };
}

interface Unread {
  batch: BatchRow;
  template: PromptTemplate;
  rows: readonly number[];
}

/** Null: the batch is paused, because its sheet cannot be read here. */
async function readOrPause(ctx: Context, unread: Unread): Promise<ReadRows | null> {
  try {
    return await readRowsToSend(ctx, unread);
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error;
    const batchId = unread.batch.id;
    ctx.log.error(
      { err: error, batch: batchId },
      'a stored sheet cannot be read: check DATA_DIR or FILES_BUCKET of this process',
    );
    await pauseByEngine(ctx, { batchId, reason: 'sheet_unreadable' });
    return null;
  }
}

async function readRowsToSend(ctx: Context, { batch, template, rows }: Unread): Promise<ReadRows> {
  const { maximumPromptLength } = ctx.config.sheets;
  const filled = (cells: readonly string[]) => {
    const used: string[] = [];
    for (const column of template.usedColumns) used[column] = cells[column] ?? '';
    return () => template.fill(used, maximumPromptLength) ?? '';
  };
  const read: ReadRows = { rows: [], unasked: [] };
  let kept = 0;
  for await (const { row, cells, readAgain } of eachRowAt(ctx, batch.sheet_id, rows)) {
    ctx.passFaultPoint?.('reading-slice', cells.join('\t'));
    const unasked = whyUnasked(template, cells, maximumPromptLength);
    if (unasked) {
      read.unasked.push({ row, ...unasked });
      continue;
    }
    kept += template.usedColumns.reduce((sum, column) => sum + (cells[column]?.length ?? 0), 0);
    if (kept <= rows.length * keptCharactersPerRow)
      read.rows.push({ row, fillPrompt: filled(cells) });
    else read.rows.push({ row, readPrompt: async () => filled(await readAgain()) });
  }
  return read;
}

function whyUnasked(
  template: PromptTemplate,
  cells: readonly string[],
  maximumPromptLength: number,
): Omit<UnaskedRow, 'row'> | null {
  if (template.isBlankFor(cells)) return { state: 'skipped', problem: texts.nothingToAsk };
  const length = template.lengthFor(cells);
  return length > maximumPromptLength
    ? failed(texts.promptTooLong(length, maximumPromptLength))
    : null;
}

const failed = (problem: string) => ({ state: 'failed' as const, problem });

export interface EndedSlice {
  batchId: string;
  first: number;
  lease: { id: string; retryCount: number };
  /** Whether every row has a result. */
  isComplete: boolean;
  /** Of the rows answered in this lease; see unusable-rows.ts. */
  unusableExcess?: number;
}

/**
 * Ends a lease: the slice is done, idle until the batch resumes, or queued again. Its job ends in
 * the same transaction, so no slice is lost or queued twice.
 */
export async function finishSlice(
  ctx: Context,
  { batchId, first, lease, isComplete, unusableExcess = 0 }: EndedSlice,
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const batch = await lockBatch(ctx.db, batchId);
    const isOurs = await ctx.finishJob(ctx.db, { name: sliceQueueName, ...lease });
    // After a missed heartbeat the slice belongs to another process.
    if (!batch || !isOurs) return;
    await releaseSlice(ctx.db, { batchId, first, state: isComplete ? 'done' : 'idle' });
    const isTooUnusable = await countUnusable(ctx, batch.user_id, unusableExcess);
    if (isTooUnusable && batch.state === 'running') {
      const detail = texts.mostUnusable;
      await pauseByEngine(ctx, { batchId, reason: 'request_refused', detail });
      return;
    }
    const queued = await queueSlices(ctx, batch);
    if (queued > 0) return;
    if (batch.state === 'stopped') {
      await releaseCredits(ctx, batch);
      await ctx.publish(ctx.db, { user_id: batch.user_id, batch_id: batchId, state: 'stopped' });
    }
    // Rows are left, but the reservation is used up.
    if (batch.state === 'running' && batch.is_partial)
      await pauseByEngine(ctx, { batchId, reason: 'needs_credits' });
  });
}
