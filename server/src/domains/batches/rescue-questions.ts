import type { Context } from '../../context.ts';
import { after } from '../../lib/clock.ts';
import { returnQuestion } from './ask-question.ts';
import { listUnendedQuestions } from './store/questions.ts';

/** Nobody waits for an answer longer than the deadline of a call; some more for whoever settles it. */
const graceMilliseconds = 60_000;

/** What is held for a question whose asker has died returns. `alone` says that nobody else can be asking. */
export async function rescueQuestions(ctx: Context, { alone = false } = {}): Promise<void> {
  const now = ctx.clock.now();
  const before = alone ? after(now, graceMilliseconds) : after(now, -ctx.config.chat.deadlineMilliseconds - graceMilliseconds);
  for (const question of await listUnendedQuestions(ctx.db, before)) await returnQuestion(ctx, question);
}
