import { mostFor } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { inPersistentTransaction, inTransactionOrUndone } from '../../../db/transaction.ts';
import * as texts from '../../../texts/batches.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { eachRowAt } from '../../files/rows.ts';
import { lockPlannedSheet } from '../../files/sheets.ts';
import { refuseOverQuota } from '../../files/storage.ts';
import { chatRequest } from '../../prompts/chat-request.ts';
import { estimatedTokens, refuseAboveAgreed } from '../../prompts/price.ts';
import { describeFailure, unusableAnswer } from '../../prompts/single-prompts.ts';
import { tokenColumns } from '../../prompts/token-columns.ts';
import { consumeRateLimit, rateLimits } from '../../requests/rate-limits.ts';
import { findOrCreateBatch, findPreviewed, type PricedPlan } from '../lifecycle/create.ts';
import { releaseCredits, reserveCredits } from '../lifecycle/reserve-credits.ts';
import { AnswerMarker, type NewAnswer } from '../marks/answer-marker.ts';
import { storeResults } from '../results/store-results.ts';
import { lockBatch, updateBatch } from '../store/batches.ts';
import { addUsage } from '../store/change-results.ts';
import { listResultsOf, type RowResult } from '../store/results.ts';
import { countUnusable, refuseUnusable, unusableExcess } from '../unusable-rows.ts';
import { type BatchPlan, type BatchQuery, templateFor } from './plan.ts';
import { mostOfSheet, readInTurn } from './quote.ts';

interface PreviewedRow {
  row: number;
  prompt: string;
}

/** How many of the first rows are searched for prompts that are not blank. */
export const searchedRows = 256;

/** Answers a few rows now and stores them in the batch, so that no row is paid twice. */
export async function previewRows(
  ctx: Context,
  acting: ActingFor,
  plan: BatchPlan,
  wanted: { count: number; rows: number[] | undefined; query: BatchQuery },
) {
  await consumeRateLimit(ctx, rateLimits.promptPerPerson, acting.subjectId);
  await refuseOverQuota(ctx, acting.subjectId, 0);
  await refuseUnusable(ctx, acting.subjectId, plan.options.outputs);
  const rows = await choosePrompts(ctx, plan, wanted);
  if (rows.length === 0) return [];
  const most = await measure(ctx, acting, plan, rows);
  const reservation = await reserveForPreview(ctx, acting, {
    plan: { ...plan, most: most ?? leastPrice(plan) },
    isMeasured: most !== null,
    rows,
    query: wanted.query,
  });
  const { batch, known, reservedRows } = reservation;
  const open = rows.filter(({ row }) => known.get(row)?.state !== 'answered');
  const results = await Promise.all(
    open.map((one) => ask(ctx, plan, { ...one, person: acting.actor.id })),
  );
  await countUnusable(ctx, acting.subjectId, unusableExcess(results));
  const stored = await storeAnswers(ctx, { batchId: batch.id, reservedRows, results });
  for (const result of results)
    known.set(result.row, stored.get(result.row) ?? withoutAnswer(result));
  return rows.map(({ row, prompt }) => ({
    row,
    prompt,
    answer: known.get(row)?.answer ?? null,
    problem: known.get(row)?.problem ?? null,
  }));
}

async function choosePrompts(
  ctx: Context,
  { sheet, ...plan }: BatchPlan,
  wanted: { count: number; rows: number[] | undefined },
): Promise<PreviewedRow[]> {
  const rows = wanted.rows
    ? [...new Set(wanted.rows)]
    : (plan.selection?.slice(0, searchedRows) ??
      Array.from({ length: Math.min(searchedRows, sheet.rows) }, (_, row) => row));
  const template = templateFor(plan, sheet.columns);
  const { maximumPromptLength } = ctx.config.sheets;
  const prompts: PreviewedRow[] = [];
  for await (const { row, cells } of eachRowAt(ctx, sheet.id, rows)) {
    const prompt = template.isBlankFor(cells) ? null : template.fill(cells, maximumPromptLength);
    if (prompt !== null) prompts.push({ row, prompt });
    if (prompts.length === wanted.count) break;
  }
  return prompts.sort((one, other) => rows.indexOf(one.row) - rows.indexOf(other.row));
}

const leastPrice = ({ price, options }: BatchPlan) => mostFor(price, { promptLength: 0, options });

/** The most that a row of the sheet may cost. Null: not read, because each row has an answer. */
async function measure(
  ctx: Context,
  acting: ActingFor,
  plan: BatchPlan,
  rows: readonly PreviewedRow[],
): Promise<number | null> {
  if (!plan.price.size) return leastPrice(plan);
  const batch = await findPreviewed(ctx, acting.subjectId, plan);
  const wanted = rows.map(({ row }) => row);
  const known = batch ? await listResultsOf(ctx.db, { batchId: batch.id, rows: wanted }) : [];
  if (known.length === rows.length) return null;
  return readInTurn(ctx, acting, plan, () => mostOfSheet(ctx, plan));
}

interface Preview {
  plan: PricedPlan;
  isMeasured: boolean;
  rows: PreviewedRow[];
  query: BatchQuery;
}

async function reserveForPreview(
  ctx: Context,
  acting: ActingFor,
  { plan, isMeasured, rows, query }: Preview,
) {
  const reserve = async (ctx: Context) => {
    const { actor, subjectId } = acting;
    await lockPlannedSheet(ctx, plan.sheet);
    const batch = await findOrCreateBatch(ctx, acting, plan);
    const results = await listResultsOf(ctx.db, {
      batchId: batch.id,
      rows: rows.map(({ row }) => row),
    });
    const known = new Map(results.map((result) => [result.row, result]));
    const reservedRows = rows.length - known.size;
    // Their batch was started, or deleted, since.
    if (reservedRows > 0 && !isMeasured) refuse('not_now', { message: texts.changedDuringPreview });
    const needed = reservedRows * batch.price;
    refuseAboveAgreed(needed, query);
    await reserveCredits(ctx, batch, { needed, isPartial: false });
    // Recovery after a crash finds the preview's reservation by this time.
    await updateBatch(ctx.db, batch.id, { rate_window_start: ctx.clock.now() });
    await writeAuditEntry(ctx, { actor, subjectId }, 'rows_tried', { batch: batch.id });
    return { batch, known, reservedRows };
  };
  return inTransactionOrUndone(ctx, reserve, async (ctx, { batch, reservedRows }) => {
    const now = await lockBatch(ctx.db, batch.id);
    const own = reservedRows * batch.price;
    if (now?.state === 'ready') await releaseCredits(ctx, now, Math.max(0, now.reserved - own));
  });
}

async function ask(
  ctx: Context,
  plan: BatchPlan,
  { row, prompt, person }: PreviewedRow & { person: string },
): Promise<RowResult> {
  const { model, options } = plan;
  const sentAt = performance.now();
  const outcome = await ctx.chat.ask(chatRequest(ctx, { model, prompt, options, person }));
  return outcome.kind === 'answered'
    ? {
        row,
        state: 'answered',
        answer: outcome.text,
        problem: null,
        marks: marksOf(plan, { row, answer: outcome.text, prompt: () => prompt }),
        ...tokenColumns(outcome.tokens),
        ...(!outcome.tokens && { estimated_tokens: estimatedTokens(prompt, outcome.text) }),
        answered_by: outcome.by ?? null,
        milliseconds: Math.round(performance.now() - sentAt),
      }
    : {
        row,
        state: 'failed',
        answer: unusableAnswer(outcome),
        problem: describeFailure(outcome),
        ...tokenColumns(outcome.tokens),
      };
}

/** Marks of one answer alone. Marks that compare answers are set when the batch runs. */
function marksOf({ sheet, model, options, ...plan }: BatchPlan, answer: NewAnswer): number {
  const { fixedParts } = templateFor(plan, sheet.columns);
  const batch = { batchId: '', model, fixedParts, outputs: options.outputs };
  return new AnswerMarker().mark(batch, answer).marks;
}

interface Answers {
  batchId: string;
  /** The rows reserved for. Not an amount, because the price may rise meanwhile. */
  reservedRows: number;
  results: readonly RowResult[];
}

/**
 * Stores the answers that the batch still wants and can pay for, and returns what is stored: unpaid
 * answers are not shown. Releases the rest of the reservation unless the batch has started.
 */
async function storeAnswers(
  ctx: Context,
  { batchId, reservedRows, results }: Answers,
): Promise<Map<number, RowResult>> {
  if (results.length === 0) return new Map();
  return inPersistentTransaction(ctx, async (ctx) => {
    const before = await lockBatch(ctx.db, batchId);
    if (!before) return new Map();
    if (before.deleted_at || before.ended_at) {
      await addUsage(ctx.db, batchId, results);
      return new Map();
    }
    const rows = results.map(({ row }) => row);
    const earlier = await listResultsOf(ctx.db, { batchId, rows });
    const known = new Set(earlier.map(({ row }) => row));
    // Failed rows stay open, because the failure may have been temporary.
    const answered = results.filter(({ row, state }) => state === 'answered' && !known.has(row));
    const covered =
      before.price === 0 ? answered.length : Math.floor(before.reserved / before.price);
    const kept = answered.slice(0, covered);
    const after = await storeResults(ctx, { batchId, results: kept });
    const stored = await listResultsOf(ctx.db, { batchId, rows });
    const storedRows = new Set(stored.map(({ row }) => row));
    // Also those that the batch was started without meanwhile.
    const lost = results.filter((result) => !kept.includes(result) || !storedRows.has(result.row));
    await addUsage(ctx.db, batchId, lost);
    if (after?.state === 'ready') {
      const own = reservedRows * after.price - (before.reserved - after.reserved);
      const rest = Math.min(after.reserved, Math.max(0, own));
      await releaseCredits(ctx, after, after.reserved - rest);
    }
    return new Map(stored.map((result) => [result.row, result]));
  });
}

function withoutAnswer(result: RowResult): RowResult {
  if (result.state === 'failed') return result;
  return { ...result, state: 'failed', answer: null, problem: texts.changedDuringPreview };
}
