import type { Context } from '../../context.ts';
import { describeBatch } from './show-batch.ts';
import { listBatchesOf } from './store/batches.ts';
import { listQuestions } from './store/questions.ts';
import { listVariables } from './store/variables.ts';

const questionsAtMost = 10_000;

/** What somebody has asked, for the file of his data. The answers themselves he downloads batch by batch. */
export async function exportWork(ctx: Context, userId: string) {
  const batches = [];
  for (const row of await listBatchesOf(ctx.db, userId))
    batches.push(await describeBatch(ctx, row));
  return {
    batches,
    questions: await listQuestions(ctx.db, {
      userId,
      start: 0,
      limit: questionsAtMost,
      search: '',
    }),
    variables: await listVariables(ctx.db, userId),
  };
}
