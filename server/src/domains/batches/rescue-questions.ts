import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { after } from '../../lib/clock.ts';
import { returnQuestion } from './ask-question.ts';
import { releaseHold } from './hold-for.ts';
import { listHeldReady, lockBatch } from './store/batches.ts';
import { listUnendedQuestions } from './store/questions.ts';

/** Nobody waits for an answer longer than the deadline of a call; some more for whoever settles it. */
const graceMilliseconds = 60_000;

/** What is held for a question or a preview whose asker has died returns. `alone` says that nobody else can be asking. */
export async function rescueQuestions(ctx: Context, { alone = false } = {}): Promise<void> {
  const now = ctx.clock.now();
  const before = alone
    ? after(now, graceMilliseconds)
    : after(now, -ctx.config.chat.deadlineMilliseconds - graceMilliseconds);
  for (const question of await listUnendedQuestions(ctx.db, before))
    await returnQuestion(ctx, question);
  for (const { id } of await listHeldReady(ctx.db, before))
    await returnPreview(ctx, { id, before });
}

async function returnPreview(
  ctx: Context,
  { id, before }: { id: string; before: Date },
): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const batch = await lockBatch(inside.db, id);
    if (batch?.state === 'ready' && batch.mark_at && batch.mark_at < before)
      await releaseHold(inside, batch);
  });
}
