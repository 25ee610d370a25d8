import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { writeAuditEntry } from '../audit/write-entry.ts';
import { countTry } from '../requests/count-try.ts';
import { limits } from '../requests/rules.ts';
import { wordsFor } from './ask-question.ts';
import { findReady } from './find-ready.ts';
import { holdFor, releaseHold } from './hold-for.ts';
import { makeBatch } from './make-batch.ts';
import type { BatchPlan } from './plan-batch.ts';
import { isBlank, promptOf } from './rules.ts';
import { settleRows } from './settle-rows.ts';
import { type BatchRow, lockBatch } from './store/batches.ts';
import { listResultsOf, type RowResult } from './store/results.ts';
import { cellsOf } from './take-slice.ts';

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
export async function askPreview(ctx: Context, acting: Acting, plan: BatchPlan, { count, wanted }: Preview) {
  await countTry(ctx, limits.questionByPerson, acting.subjectId);
  const asked = await choosePrompts(ctx, plan, { count, wanted });
  const { batch, known } = await holdForPreview(ctx, acting, { plan, asked });
  const open = asked.filter(({ row }) => known.get(row)?.state !== 'answered');
  try {
    const results = await Promise.all(open.map((one) => ask(ctx, { plan, ...one })));
    // A row that failed stays open, for its failure may have been an accident.
    const answered = results.filter(({ state }) => state === 'answered');
    if (answered.length > 0) await settleRows(ctx, { batchId: batch.id, results: answered });
    for (const result of results) known.set(result.row, result);
  } finally {
    await returnRest(ctx, batch.id);
  }
  return asked.map(({ row, prompt }) => ({
    row,
    prompt,
    answer: known.get(row)?.answer ?? null,
    problem: known.get(row)?.problem ?? null,
  }));
}

async function choosePrompts(ctx: Context, { sheet, ...plan }: BatchPlan, { count, wanted }: Preview): Promise<Asked[]> {
  const rows = wanted ?? Array.from({ length: Math.min(lookedAt, sheet.rows) }, (_, row) => row);
  const cells = await cellsOf(ctx, sheet.id, rows);
  const render = promptOf(plan, sheet.columns);
  return rows
    .map((row) => ({ row, prompt: render(cells.get(row) ?? []) }))
    .filter(({ prompt }) => !isBlank(prompt))
    .slice(0, count);
}

async function holdForPreview(ctx: Context, acting: Acting, { plan, asked }: { plan: BatchPlan; asked: Asked[] }) {
  return inTransaction(ctx, async (inside) => {
    const { actor, subjectId } = acting;
    const batch = (await findReady(inside, subjectId, plan)) ?? (await makeBatch(inside, acting, plan));
    const results = await listResultsOf(inside.db, { batchId: batch.id, rows: asked.map(({ row }) => row) });
    const known = new Map(results.map((result) => [result.row, result]));
    await holdFor(inside, batch, { needed: (asked.length - known.size) * plan.price, isPartial: false });
    await writeAuditEntry(inside, { actorId: actor.id, subjectId, act: 'question_asked', detail: { batch: batch.id } });
    return { batch, known };
  });
}

async function ask(ctx: Context, { plan, row, prompt }: Asked & { plan: BatchPlan }): Promise<RowResult> {
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
  if (outcome.kind === 'answered') return { row, state: 'answered', answer: outcome.text, problem: null };
  return { row, state: 'failed', answer: null, problem: wordsFor(outcome) };
}

/** What was held and not spent. Once the batch runs, the hold is its own. */
async function returnRest(ctx: Context, batchId: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const batch: BatchRow | undefined = await lockBatch(inside.db, batchId);
    if (batch?.state === 'ready') await releaseHold(inside, batch);
  });
}
