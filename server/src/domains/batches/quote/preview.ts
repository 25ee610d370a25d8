import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import { refuse } from '../../../core/refusal.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { writeAuditEntry } from '../../audit/entries.ts';
import { lockSheet } from '../../files/store.ts';
import { wordsFor } from '../../prompts/single-prompts.ts';
import { consumeRateLimit, rateLimits } from '../../requests/rate-limits.ts';
import { findReady, makeBatch } from '../lifecycle/create.ts';
import { holdFor, releaseHold } from '../lifecycle/reserve-credits.ts';
import { settleRows } from '../results/store-results.ts';
import { isBlank, promptOf } from '../rules.ts';
import { cellsOf } from '../slices/lease.ts';
import { lockBatch, updateBatch } from '../store/batches.ts';
import { listResultsOf, type RowResult } from '../store/results.ts';
import type { BatchPlan } from './plan.ts';

interface Preview {
  count: number;
  wanted: number[] | undefined;
}

interface Asked {
  row: number;
  prompt: string;
}

/** How far the preview looks for rows that ask something. */
const lookedAt = 256;

/** A few rows now. Their answers are kept for the batch, so that they are not paid for twice. */
export async function askPreview(
  ctx: Context,
  acting: ActingFor,
  plan: BatchPlan,
  { count, wanted }: Preview,
) {
  await consumeRateLimit(ctx, rateLimits.promptPerPerson, acting.subjectId);
  const asked = await choosePrompts(ctx, plan, { count, wanted });
  const { batch, known, held } = await holdForPreview(ctx, acting, { plan, asked });
  const open = asked.filter(({ row }) => known.get(row)?.state !== 'answered');
  const results = await Promise.all(open.map((one) => ask(ctx, { plan, ...one })));
  const kept = await keepAnswers(ctx, { batchId: batch.id, held, results });
  for (const result of results) known.set(result.row, kept.get(result.row) ?? unkept(result));
  return asked.map(({ row, prompt }) => ({
    row,
    prompt,
    answer: known.get(row)?.answer ?? null,
    problem: known.get(row)?.problem ?? null,
  }));
}

async function choosePrompts(
  ctx: Context,
  { sheet, ...plan }: BatchPlan,
  { count, wanted }: Preview,
): Promise<Asked[]> {
  const rows = wanted
    ? [...new Set(wanted)].filter((row) => row < sheet.rows)
    : Array.from({ length: Math.min(lookedAt, sheet.rows) }, (_, row) => row);
  const cells = await cellsOf(ctx, sheet.id, rows);
  const render = promptOf(plan, sheet.columns);
  return rows
    .map((row) => ({ row, prompt: render(cells.get(row) ?? []) }))
    .filter(({ prompt }) => !isBlank(prompt))
    .slice(0, count);
}

async function holdForPreview(
  ctx: Context,
  acting: ActingFor,
  { plan, asked }: { plan: BatchPlan; asked: Asked[] },
) {
  return inTransaction(ctx, async (inside) => {
    const { actor, subjectId } = acting;
    if (!(await lockSheet(inside.db, plan.sheet.id))) refuse('not_found');
    const batch =
      (await findReady(inside, subjectId, plan)) ?? (await makeBatch(inside, acting, plan));
    const results = await listResultsOf(inside.db, {
      batchId: batch.id,
      rows: asked.map(({ row }) => row),
    });
    const known = new Map(results.map((result) => [result.row, result]));
    const held = await holdFor(inside, batch, {
      needed: (asked.length - known.size) * plan.price,
      isPartial: false,
    });
    await updateBatch(inside.db, batch.id, { rate_window_start: ctx.clock.now() });
    await writeAuditEntry(inside, {
      actorId: actor.id,
      subjectId,
      act: 'question_asked',
      detail: { batch: batch.id },
    });
    return { batch, known, held };
  });
}

async function ask(
  ctx: Context,
  { plan, row, prompt }: Asked & { plan: BatchPlan },
): Promise<RowResult> {
  const { system, temperature, max_tokens: maxTokens, outputs } = plan.options;
  const { deadlineMilliseconds } = ctx.config.chat;
  const signal = new AbortController().signal;
  const outcome = await ctx.chat.ask({
    model: plan.model,
    prompt,
    system,
    temperature,
    maxTokens,
    outputs,
    deadlineMilliseconds,
    signal,
  });
  if (outcome.kind === 'answered')
    return { row, state: 'answered', answer: outcome.text, problem: null };
  return { row, state: 'failed', answer: null, problem: wordsFor(outcome) };
}

interface Answers {
  batchId: string;
  /** By this preview: another one may have its own hold on the same batch. */
  held: number;
  results: readonly RowResult[];
}

/**
 * Answers are stored as far as the batch is still there, still wants them and holds enough for them, and only what is
 * stored is shown: nobody gets for nothing what he has stopped or deleted meanwhile. The rest of the hold returns; once the
 * batch runs, it is the batch's own.
 */
async function keepAnswers(
  ctx: Context,
  { batchId, held, results }: Answers,
): Promise<Map<number, RowResult>> {
  if (results.length === 0) return new Map();
  return inTransaction(ctx, async (inside) => {
    const before = await lockBatch(inside.db, batchId);
    if (!before || before.deleted_at || before.ended_at) return new Map();
    // A row that failed stays open, for its failure may have been an accident.
    const rows = results.map(({ row }) => row);
    const known = new Set(
      (await listResultsOf(inside.db, { batchId, rows })).map(({ row }) => row),
    );
    const answered = results.filter(({ row, state }) => state === 'answered' && !known.has(row));
    const covered =
      before.price === 0 ? answered.length : Math.floor(before.reserved / before.price);
    const after = await settleRows(inside, { batchId, results: answered.slice(0, covered) });
    if (after?.state === 'ready') {
      const rest = Math.min(after.reserved, held - (after.charged - before.charged));
      await releaseHold(inside, after, after.reserved - rest);
    }
    const stored = await listResultsOf(inside.db, { batchId, rows });
    return new Map(stored.map((result) => [result.row, result]));
  });
}

function unkept(result: RowResult): RowResult {
  if (result.state === 'failed') return result;
  const problem = 'The batch was changed while this was asked. Nothing was charged.';
  return { ...result, state: 'failed', answer: null, problem };
}
