import type { Context } from '../../../core/context.ts';
import { record } from '../../../core/events.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { newId } from '../../../lib/ids.ts';
import { chargeReserved, moveCredits } from '../../credits/ledger.ts';
import { notifyOfBatch } from '../emails.ts';
import { finishBatch } from '../lifecycle/finish.ts';
import { rateWindowExpiry } from '../rate-window.ts';
import { type BatchRow, isComplete, lockBatch, updateBatch } from '../store/batches.ts';
import { addUsage, insertResults, markEarlier, resultExists } from '../store/change-results.ts';
import type { RowResult } from '../store/results.ts';

interface Given {
  batchId: string;
  results: readonly RowResult[];
}

/**
 * Stores many results in one transaction, with their charge, the counts and the end of the batch.
 * Returns the batch, with the state that says if its rows are wanted, unless it was deleted.
 */
export async function storeResults(ctx: Context, given: Given): Promise<BatchRow | undefined> {
  // A refused statement would end the transaction of the caller.
  if (ctx.db.isTransaction) return store(ctx, { ...given, mayExist: true });
  try {
    return await store(ctx, { ...given, mayExist: false });
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== resultExists) throw error;
    return store(ctx, { ...given, mayExist: true });
  }
}

/** To look for results that exist takes a quarter of the statement's time, and there are few. */
async function store(
  ctx: Context,
  { batchId, results, mayExist }: Given & { mayExist: boolean },
): Promise<BatchRow | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now();
    const batch = await insertResults(ctx.db, {
      batchId,
      results,
      now,
      windowExpiry: rateWindowExpiry(now),
      mayExist,
    });
    if (!batch) return undefined;
    if (batch.deleted_at) await addUsage(ctx.db, batchId, results);
    const earlier = results.flatMap(({ earlier = [] }) => earlier);
    for (const [mark, found] of Map.groupBy(earlier, ({ mark }) => mark))
      await markEarlier(ctx.db, { batchId, mark, rows: found.flatMap(({ rows }) => rows) });
    ctx.passFaultPoint?.('during-flush');
    const { user_id: userId, new_charge: charge, new_rest: rest } = batch;
    if (charge > 0) {
      const cause = `settle:${batchId}:${newId(now)}`;
      await chargeReserved(ctx, { userId, amount: charge, cause });
    }
    if (rest > 0) {
      const cause = `release:${batchId}:${newId(now)}`;
      await moveCredits(ctx, { userId, from: 'reserved', to: 'available', amount: rest, cause });
    }
    record(ctx, 'results_stored', {
      batch: batchId,
      answered: batch.new_answers,
      failed: batch.new_failures,
      skipped: batch.new_skips,
    });
    // After a missed heartbeat a slice may have two workers: its rows are charged once.
    const stored = batch.new_answers + batch.new_failures + batch.new_skips;
    const duplicates = results.length - stored;
    if (duplicates > 0) record(ctx, 'duplicate_results', { batch: batchId, rows: duplicates });
    // Rows in flight finish during a pause; if they were the last, there is nothing left to resume.
    const isActive = batch.state === 'running' || batch.state === 'paused';
    const isEnd = isActive && isComplete(batch);
    const after = isEnd ? await finishBatch(ctx, batch) : batch;
    if (!isEnd && batch.new_answers > 0) await notifyOfResumption(ctx, batch);
    if (!isEnd) await ctx.publish(ctx.db, { user_id: batch.user_id, batch_id: batchId });
    ctx.passFaultPoint?.('before-commit');
    return after;
  });
}

/** The first answers after a refusal show that the provider works; a changed key does not. */
async function notifyOfResumption(ctx: Context, batch: BatchRow): Promise<void> {
  if (batch.state !== 'running' || batch.notified_pause_reason !== 'provider_refused') return;
  await updateBatch(ctx.db, batch.id, { notified_pause_reason: null });
  await notifyOfBatch(ctx, batch, 'batch_resumed');
}

/**
 * Stores what a killed process had received, except for a stopped or deleted batch. Returns the
 * number of rows.
 */
export async function storeRecoveredResults(
  ctx: Context,
  { batchId, results }: Given,
): Promise<number> {
  if (results.length === 0) return 0;
  return inTransaction(ctx, async (ctx) => {
    const batch = await lockBatch(ctx.db, batchId);
    const isOpen = batch?.state === 'running' || batch?.state === 'paused';
    if (!isOpen || batch.deleted_at) return 0;
    await storeResults(ctx, { batchId, results });
    return results.length;
  });
}
