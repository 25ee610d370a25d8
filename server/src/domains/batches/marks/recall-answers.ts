import type { Context } from '../../../core/context.ts';
import type { FetchedSlice } from '../slices/lease.ts';
import { listLastAnswers } from '../store/results.ts';
import type { AnswerMarker, MarkedBatch } from './answer-marker.ts';

/** As many as a slice has rows: enough to know what is usual, and read in milliseconds. */
const count = 512;
/** Longer ones say little about the others, and would fill the memory. */
const maxCharacters = 8_000;

/**
 * Reads what the answers of others in a batch have in common, before its first slice here. Rows are
 * sent even if that fails.
 */
export async function recallAnswers(
  ctx: Context,
  marker: AnswerMarker,
  fetched: FetchedSlice,
): Promise<void> {
  const { batch, isSuspected } = fetched;
  if (batch.answered === 0 || isSuspected || marker.knows(batch.id)) return;
  try {
    await recall(ctx, marker, fetched);
  } catch (error) {
    ctx.log.error({ err: error, batch: batch.id }, 'earlier answers could not be compared');
  }
}

async function recall(ctx: Context, marker: AnswerMarker, fetched: FetchedSlice): Promise<void> {
  const batchId = fetched.batch.id;
  const answers = await listLastAnswers(ctx.db, { batchId, count, maxCharacters });
  const read = await fetched.read(answers.map(({ row }) => row));
  const prompts = new Map(read?.rows.map(({ row, fillPrompt }) => [row, fillPrompt]));
  marker.recall(
    markedBatch(fetched),
    answers.map(({ row, answer }) => ({ row, answer, prompt: prompts.get(row) ?? (() => '') })),
  );
}

export function markedBatch({ batch, fixedParts }: FetchedSlice): MarkedBatch {
  const { id: batchId, model, options } = batch;
  return { batchId, model, fixedParts, outputs: options.outputs };
}
