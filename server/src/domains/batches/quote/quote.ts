import { mostFor, type Price, unusedColumns } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { pauseEvery, yieldMilliseconds } from '../../../lib/event-loop.ts';
import { findSpending } from '../../credits/spending.ts';
import { eachBlockOfRows } from '../../files/rows.ts';
import { getSheet } from '../../files/store.ts';
import { findPreviewed, findTried } from '../lifecycle/create.ts';
import { selectedRows } from '../slices/sizes.ts';
import type { BatchRow } from '../store/batches.ts';
import { listResultRows, listResultsOf } from '../store/results.ts';
import { estimateRun } from './estimate-run.ts';
import { type BatchPlan, templateFor } from './plan.ts';

/** Reading these takes a few milliseconds. */
const smallRows = 10_000;

/** Large sheets take seconds and up to 40 MB, so they are read in turn. Small ones do not wait. */
export async function readInTurn<T>(
  ctx: Context,
  { actor }: ActingFor,
  { sheet }: Pick<BatchPlan, 'sheet'>,
  read: () => Promise<T>,
): Promise<T> {
  if (sheet.rows <= smallRows) return read();
  const end = await ctx.measuring.take(actor.id, ctx.signal).catch(() => refuse('busy'));
  return read().finally(end);
}

/** What a batch would cost, and what a person should know before starting it. */
export async function quoteBatch(ctx: Context, userId: string, plan: BatchPlan) {
  const { blank, too_long, incomplete, duplicates, longest } = await countRows(ctx, plan);
  const tried = await findTried(ctx, userId, plan);
  const previewed = tried.leftOut.length === 0 ? tried.batch : undefined;
  const answered = previewed?.answered ?? 0;
  const { available, debt, month, obstacle } = await findSpending(ctx, userId);
  const usable = Math.min(available, month?.left ?? available);
  const price = Math.max(
    mostFor(plan.price, { promptLength: longest, options: plan.options }),
    previewed?.price ?? 0,
  );
  const perTriedRow = Math.max(
    plan.rows < plan.sheet.rows ? await mostOfSheet(ctx, plan) : price,
    tried.batch?.price ?? 0,
  );
  const sent = plan.rows - blank - too_long;
  const openRows = Math.max(0, sent - answered);
  /** A preview counts only with the deadline, or without one, as it was asked. */
  const neededFor = async (price: Price, finishBy: Date | null) => {
    const found = await findPreviewed(ctx, userId, { ...plan, price, finishBy });
    const most = mostFor(price, { promptLength: longest, options: plan.options });
    return Math.max(0, sent - (found?.answered ?? 0)) * Math.max(most, found?.price ?? 0);
  };
  const results = previewed ? await listPreviewed(ctx, previewed) : [];
  const estimate = estimateRun(ctx, plan, { results, openRows, needed: openRows * price });
  return {
    rows: plan.rows,
    blank,
    too_long,
    incomplete,
    duplicates,
    answered,
    paid_again:
      tried.planned.length > 0 && tried.leftOut.length > 0
        ? { rows: tried.planned.length, left_out: tried.leftOut.slice(0, maximumPreviewed) }
        : null,
    price_by_size: plan.price.size && {
      tokens: plan.price.size.tokens,
      submissions: plan.price.submissions,
    },
    needed: openRows * price,
    per_tried_row: perTriedRow,
    expected: estimate.submissions,
    economy: plan.prices && {
      now: await neededFor(plan.prices.now, null),
      by_deadline: await neededFor(plan.prices.byDeadline, ctx.clock.now()),
    },
    available,
    debt,
    monthly: month && {
      limit: month.limit,
      left: month.left,
      resets_at: month.resetsAt.toISOString(),
    },
    covered: price === 0 ? plan.rows : Math.min(plan.rows, Math.floor(usable / price)),
    blocked: obstacle?.message ?? null,
    unused_columns: unusedColumns(plan.question, plan.sheet.columns),
    tokens: estimate.tokens,
    seconds: estimate.seconds,
    selected: plan.selection?.slice(0, maximumSelected) ?? null,
    previewed: results.map(({ row, answer }) => ({ row, answer })),
  };
}

const maximumSelected = 100;
const maximumPreviewed = 100;

/** Answers of a preview may be long, so only the first ones are read. */
export async function listPreviewed(ctx: Context, { id: batchId, answered }: BatchRow) {
  if (answered === 0) return [];
  const rows = (await listResultRows(ctx.db, batchId)).slice(0, maximumPreviewed);
  const results = await listResultsOf(ctx.db, { batchId, rows });
  return results
    .flatMap(({ answer, ...result }) =>
      result.state === 'answered' && answer !== null ? [{ ...result, answer }] : [],
    )
    .sort((one, other) => one.row - other.row);
}

/** The rows of a plan or of a batch, and their prompt. */
type Asked = Pick<BatchPlan, 'sheet' | 'question' | 'variables' | 'selection' | 'rows'>;

/** What the rows need, which a start must know. */
interface Measures {
  /** Rows whose used columns are all empty. */
  blank: number;
  /** The prompt would be longer than the limit. */
  too_long: number;
  /** How many of the last rows are such ones, or tried before. */
  unsent_at_end: number;
  /** Characters of the longest prompt that is sent. */
  longest: number;
}

const noMeasures: Measures = { blank: 0, too_long: 0, unsent_at_end: 0, longest: 0 };

/** The most that each row of the sheet may cost, also one that the plan leaves out. */
export async function mostOfSheet(ctx: Context, plan: BatchPlan): Promise<number> {
  const { price, options } = plan;
  const whole = { ...plan, selection: null, rows: plan.sheet.rows };
  const promptLength = price.size ? (await measureRows(ctx, whole)).longest : 0;
  return mostFor(price, { promptLength, options });
}

/** Also counts rows with an empty used column, and rows with the prompt of an earlier one. */
async function countRows(ctx: Context, plan: BatchPlan) {
  const { usedColumns } = templateFor(plan, plan.sheet.columns);
  const seen = new Set<number>();
  const found = { incomplete: 0, duplicates: 0 };
  const onSent = (cells: readonly string[]) => {
    const used = usedColumns.map((column) => cells[column] ?? '');
    if (used.some((cell) => cell.trim() === '')) found.incomplete++;
    // Rows with equal values in all used columns have equal prompts.
    const hash = hashText(used.join('\0'));
    if (seen.has(hash)) found.duplicates++;
    seen.add(hash);
  };
  const measures = await measureRows(ctx, plan, { onSent });
  return { ...measures, ...found };
}

/** Without reading rows. Null when the import counted too little, or prompts decide the price. */
export function measuresOf(ctx: Context, plan: BatchPlan): Measures | null {
  return plan.price.size ? null : knownMeasures(ctx, plan);
}

/** `longest` is a bound. */
function knownMeasures(ctx: Context, plan: Asked): Measures | null {
  const { columns, column_sizes: sizes, rows } = plan.sheet;
  if (!sizes) return null;
  const { usedColumns, lengthFor } = templateFor(plan, columns);
  const longest = lengthFor(sizes.map((size) => ({ length: size.longest })));
  const isAlwaysFilled = usedColumns.some((column) => sizes[column]?.filled === rows);
  const isNeverTooLong = longest <= ctx.config.sheets.maximumPromptLength;
  return isAlwaysFilled && isNeverTooLong ? { ...noMeasures, longest } : null;
}

/** Of a tried batch: its preview looked at few rows. */
export async function measureBatch(ctx: Context, acting: ActingFor, batch: BatchRow) {
  const sheet = await getSheet(ctx.db, batch.sheet_id);
  const asked = { ...batch, sheet, selection: selectedRows(batch) };
  return knownMeasures(ctx, asked) ?? readInTurn(ctx, acting, asked, () => measureRows(ctx, asked));
}

interface Measuring {
  /** Rows with an answer of a preview. */
  tried?: ReadonlySet<number>;
  onSent?: (cells: readonly string[]) => void;
}

/** Looks at the cells of every selected row, builds no prompt, and lets other work run. */
export async function measureRows(
  ctx: Context,
  plan: Asked,
  { tried, onSent }: Measuring = {},
): Promise<Measures> {
  const measures: Measures = { ...noMeasures };
  const template = templateFor(plan, plan.sheet.columns);
  const { maximumPromptLength } = ctx.config.sheets;
  const pause = pauseEvery(yieldMilliseconds);
  const { sheet, selection, rows } = plan;
  const end = selection?.end ?? rows;
  for await (const block of eachBlockOfRows(ctx, sheet.id, end))
    for (const [index, cells] of block.rows.entries()) {
      const turn = pause();
      if (turn) await turn;
      const row = block.first + index;
      if (row < end && (!selection || selection.has(row))) look(row, cells);
    }
  return measures;

  function look(row: number, cells: readonly string[]): void {
    measures.unsent_at_end++;
    if (template.isBlankFor(cells)) {
      measures.blank++;
      return;
    }
    const length = template.lengthFor(cells);
    if (length > maximumPromptLength) {
      measures.too_long++;
      return;
    }
    if (!tried?.has(row)) measures.unsent_at_end = 0;
    measures.longest = Math.max(measures.longest, length);
    onSent?.(cells);
  }
}

/**
 * A 53-bit hash (cyrb53), so that a million rows fit into memory. In one of 18,000 such sheets two
 * different rows share a hash, and the count of duplicates is off by one.
 */
function hashText(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
