import type { askChatGpt, ParsedRequestOf } from '@rowmill/contract';
import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import { invariant, refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ChatOutcome } from '../../engine/port.ts';
import { newId } from '../../lib/ids.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { checkSpendingLimit } from '../credits/admit-spending.ts';
import { getBalance } from '../credits/get-balance.ts';
import { moveCredits } from '../credits/move-credits.ts';
import { assertMayStartWork } from '../credits/refuse-new-work.ts';
import { consumeRateLimit, rateLimits } from '../requests/rate-limits.ts';
import { chooseModel, priceOf } from './models.ts';
import { endQuestion, findQuestionByKey, insertQuestion } from './store.ts';

type Request = ParsedRequestOf<typeof askChatGpt>;

/** One answer now, for one submission: it is held while the model is asked, and spent only when there is an answer. */
export async function askQuestion(ctx: Context, acting: ActingFor, request: Request) {
  const { subjectId } = acting;
  const prompt = request.question?.trim() || request.questionWithVariable?.trim();
  if (!prompt) refuse('invalid_input', { fields: { question: 'Please write a question.' } });
  await consumeRateLimit(ctx, rateLimits.promptPerPerson, subjectId);
  const model = await chooseModel(ctx, request.query?.model);
  const held = priceOf(ctx, model);
  const template = request.questionWithVariable?.trim() || prompt;
  const id = await holdForQuestion(ctx, acting, { template, held });
  if (id === null) return earlierAnswer(ctx, subjectId);
  const outcome = await ask(ctx, { prompt, model, query: request.query ?? {} });
  await settleQuestion(ctx, { id, userId: subjectId, held, outcome });
  if (outcome.kind !== 'answered') refuse('model_failed', { message: wordsFor(outcome) });
  return { answer: outcome.text, creditsAvailable: await getBalance(ctx, subjectId) };
}

/** Null when this key has asked already. */
async function holdForQuestion(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  { template, held }: { template: string; held: number },
) {
  const now = ctx.clock.now();
  const id = newId(now);
  const ask_key = ctx.idempotencyKey ?? null;
  const whose = { id, user_id: subjectId, actor_id: actor.id, ask_key, asked_at: now };
  const nothingYet = { batch_id: null, sheet_name: null, answer: null, problem: null };
  return inTransaction(ctx, async (inside) => {
    const question = {
      ...whose,
      ...nothingYet,
      template,
      rows: 1,
      reserved: held,
      state: 'asking' as const,
    };
    if (!(await insertQuestion(inside.db, question))) return null;
    await assertMayStartWork(inside, subjectId);
    await checkSpendingLimit(inside, { userId: subjectId, amount: held });
    const move = { userId: subjectId, amount: held, cause: `question:${id}` };
    if (held > 0) await moveCredits(inside, { ...move, from: 'available', to: 'reserved' });
    await writeAuditEntry(inside, { actorId: actor.id, subjectId, act: 'question_asked' });
    return id;
  });
}

async function earlierAnswer(ctx: Context, userId: string) {
  invariant(ctx.idempotencyKey, 'only a question with a key can have been asked before');
  const earlier = await findQuestionByKey(ctx.db, { userId, askKey: ctx.idempotencyKey });
  if (earlier?.state === 'asking') refuse('busy', { retryAfterSeconds: 2 });
  if (!earlier?.answer)
    refuse('model_failed', { message: earlier?.problem ?? 'The question was not answered.' });
  return { answer: earlier.answer, creditsAvailable: await getBalance(ctx, userId) };
}

interface Asking {
  prompt: string;
  model: string;
  query: NonNullable<Request['query']>;
}

function ask(ctx: Context, { prompt, model, query }: Asking): Promise<ChatOutcome> {
  const { system = null, temperature = null, max_tokens: maxTokens = null, outputs = [] } = query;
  const { deadlineMilliseconds } = ctx.config.chat;
  const signal = new AbortController().signal;
  return ctx.chat.ask({
    model,
    prompt,
    system,
    temperature,
    maxTokens,
    outputs,
    deadlineMilliseconds,
    signal,
  });
}

interface Settled {
  id: string;
  userId: string;
  held: number;
  outcome: ChatOutcome;
}

/** Ends the question and its hold together; one that was ended by somebody else meanwhile moves nothing. */
async function settleQuestion(ctx: Context, { id, userId, held, outcome }: Settled): Promise<void> {
  const isAnswered = outcome.kind === 'answered';
  const end = isAnswered
    ? { state: 'answered' as const, answer: outcome.text }
    : { state: 'failed' as const, problem: wordsFor(outcome) };
  await inTransaction(ctx, async (inside) => {
    const ended = await endQuestion(inside.db, id, end);
    const move = { userId, amount: held, cause: `question-end:${id}`, from: 'reserved' as const };
    if (ended && held > 0)
      await moveCredits(inside, { ...move, to: isAnswered ? 'spent' : 'available' });
  });
  record(ctx, 'question_asked', { user_id: userId, outcome: outcome.kind });
}

/** Gives back what is held for questions whose asker has died: at a start, and by schedule where others may still ask. */
export async function returnQuestion(
  ctx: Context,
  { id, user_id, reserved }: { id: string; user_id: string; reserved: number },
) {
  await settleQuestion(ctx, {
    id,
    userId: user_id,
    held: reserved,
    outcome: { kind: 'broken', reason: 'The server was stopped meanwhile.' },
  });
}

export function wordsFor(outcome: Exclude<ChatOutcome, { kind: 'answered' }>): string {
  if (outcome.kind === 'aborted') return 'The question was given up. Nothing was charged.';
  return `${outcome.reason} Nothing was charged.`;
}
