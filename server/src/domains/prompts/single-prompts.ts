import {
  type CallRequest,
  compileTemplate,
  maximumPromptLength,
  mostFor,
  type Price,
} from '@rowmill/contract';
import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import { invariant, Refusal, refuse, refuseField } from '../../core/refusal.ts';
import { lockOwner } from '../../db/owners.ts';
import { inPersistentTransaction, inTransactionOrUndone } from '../../db/transaction.ts';
import type { ChatOutcome } from '../../engine/port.ts';
import { newId } from '../../lib/ids.ts';
import { cutUnusable } from '../../lib/stored-bounds.ts';
import { ServiceUnavailable } from '../../lib/unavailable.ts';
import * as texts from '../../texts/prompts.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { getBalance, moveCredits } from '../credits/ledger.ts';
import { checkSpending } from '../credits/spending.ts';
import {
  consumeRateLimit,
  type RateLimit,
  rateLimits,
  refundRateLimit,
} from '../requests/rate-limits.ts';
import { chatRequest } from './chat-request.ts';
import { chooseModel } from './models.ts';
import { chargeFor, estimatedTokens, refuseAboveAgreed } from './price.ts';
import { endPrompt, findPromptByKey, insertPrompt, listUnendedPrompts } from './store.ts';
import { tokenColumns } from './token-columns.ts';
import { usedVariables } from './variables.ts';

type Request = CallRequest<'askChatGpt'>;

/**
 * Failed prompts are free, so a narrower rate limit counts them before the model is asked, and is
 * refunded otherwise. A prompt that the busy database refused does not count.
 */
export async function askSinglePrompt(ctx: Context, acting: ActingFor, request: Request) {
  const { promptPerPerson, failedPromptPerPerson } = rateLimits;
  const counted: RateLimit[] = [];
  let refunded: RateLimit[] = [failedPromptPerPerson];
  try {
    for (const limit of [promptPerPerson, failedPromptPerPerson]) {
      await consumeRateLimit(ctx, limit, acting.subjectId);
      counted.push(limit);
    }
    return await askOnce(ctx, acting, request);
  } catch (error) {
    if (error instanceof ServiceUnavailable) refunded = counted;
    if (error instanceof Refusal && error.code === 'model_failed') refunded = [];
    throw error;
  } finally {
    for (const limit of counted.filter((limit) => refunded.includes(limit)))
      await refundRateLimit(ctx, limit, acting.subjectId).catch((err) =>
        // Then an attempt too many counts until the window ends.
        ctx.log.warn({ err }, 'an attempt could not be taken back'),
      );
  }
}

/** Reserves the price while the model is asked, and charges it only for an answer. */
async function askOnce(ctx: Context, acting: ActingFor, request: Request) {
  const { subjectId } = acting;
  const person = acting.actor.id;
  const prompt = request.question?.trim() || (await fillTemplate(ctx, acting, request));
  if (!prompt) refuseField('question', texts.writePrompt);
  const { query = {} } = request;
  const { model, price, options } = await chooseModel(ctx, acting.actor, {
    ...query,
    field: (name) => `query.${name}`,
  });
  const reserved = mostFor(price, { promptLength: prompt.length, options });
  const template = request.questionWithVariable?.trim() || prompt;
  const id = await startPrompt(ctx, acting, { template, model, reserved, query });
  if (id === null) return earlierAnswer(ctx, subjectId);
  const outcome = await ctx.chat.ask(chatRequest(ctx, { model, prompt, options, person }));
  const charge = chargeOf(outcome, { price, prompt });
  const prompted = { id, user_id: subjectId, reserved };
  const creditsAvailable = await finishPrompt(ctx, prompted, outcome, charge);
  if (outcome.kind !== 'answered') refuseFailed(describeFailure(outcome), unusableAnswer(outcome));
  return { answer: outcome.text, creditsAvailable };
}

/** A template that comes without its filled-in text. */
async function fillTemplate(
  ctx: Context,
  { subjectId: userId }: ActingFor,
  { questionWithVariable = '' }: Request,
): Promise<string> {
  const template = questionWithVariable.trim();
  const columns: readonly string[] = [];
  const variables = await usedVariables(ctx, { userId, template, columns });
  const prompt = compileTemplate(template, { columns, variables }).fill([], maximumPromptLength);
  if (prompt !== null) return prompt.trim();
  refuseField('questionWithVariable', texts.filledTooLong(maximumPromptLength));
}

interface NewPrompt {
  template: string;
  model: string;
  reserved: number;
  query: NonNullable<Request['query']>;
}

/** Stores the prompt and reserves its price. Null: this request has asked it before. */
async function startPrompt(
  ctx: Context,
  { actor, subjectId }: ActingFor,
  { template, model, reserved, query }: NewPrompt,
): Promise<string | null> {
  const now = ctx.clock.now();
  const id = newId(now);
  const start = async (ctx: Context) => {
    if (!(await lockOwner(ctx.db, subjectId))) refuse('not_found');
    const inserted = await insertPrompt(ctx.db, {
      id,
      user_id: subjectId,
      actor_id: actor.id,
      template,
      model,
      rows: 1,
      state: 'asking',
      reserved,
      ask_key: ctx.workKey ?? null,
      asked_at: now,
    });
    if (!inserted) return null;
    refuseAboveAgreed(reserved, query);
    await checkSpending(ctx, { userId: subjectId, amount: reserved });
    if (reserved > 0)
      await moveCredits(ctx, {
        userId: subjectId,
        from: 'available',
        to: 'reserved',
        amount: reserved,
        cause: `question:${id}`,
      });
    await writeAuditEntry(ctx, { actor, subjectId }, 'question_asked');
    return id;
  };
  return inTransactionOrUndone(ctx, start, async (ctx, started) => {
    if (started) await abandonPrompt(ctx, { id, user_id: subjectId, reserved });
  });
}

async function earlierAnswer(ctx: Context, userId: string) {
  invariant(ctx.workKey, 'a prompt without a key cannot have been asked before');
  const byKey = { userId, askKey: ctx.workKey };
  let earlier = await findPromptByKey(ctx.db, byKey);
  if (earlier?.state === 'asking' && ctx.isSecondRun) {
    await abandonPrompt(ctx, earlier);
    earlier = await findPromptByKey(ctx.db, byKey);
  }
  if (earlier?.state === 'asking') refuse('busy', { retryAfterSeconds: 2 });
  // A failed prompt has no key, so that it can be asked again.
  if (!earlier?.answer) refuseFailed(texts.notAnswered, null);
  return { answer: earlier.answer, creditsAvailable: await getBalance(ctx, userId) };
}

interface StartedPrompt {
  id: string;
  user_id: string;
  reserved: number;
}

/**
 * Ends the prompt and its reservation together, unless it has ended, and returns the balance. Read
 * here, because a busy database must not withhold a charged answer.
 */
async function finishPrompt(
  ctx: Context,
  { id, user_id, reserved }: StartedPrompt,
  outcome: ChatOutcome,
  charge = 0,
): Promise<number> {
  const charged = Math.min(charge, reserved);
  return inPersistentTransaction(ctx, async (ctx) => {
    const isAnswered = outcome.kind === 'answered';
    const counted = tokenColumns(outcome.tokens);
    const ended = await endPrompt(
      ctx.db,
      id,
      isAnswered
        ? {
            state: 'answered',
            answer: outcome.text,
            answered_by: outcome.by ?? null,
            charged,
            ...counted,
          }
        : {
            state: 'failed',
            problem: describeFailure(outcome),
            answer: unusableAnswer(outcome),
            ...counted,
          },
    );
    const move = { userId: user_id, from: 'reserved' } as const;
    const end = `question-end:${id}`;
    if (ended && charged > 0)
      await moveCredits(ctx, { ...move, to: 'spent', amount: charged, cause: end });
    const rest = reserved - charged;
    const cause = charged > 0 ? `question-rest:${id}` : end;
    if (ended && rest > 0)
      await moveCredits(ctx, { ...move, to: 'available', amount: rest, cause });
    record(ctx, 'question_asked', { user_id, outcome: outcome.kind });
    return getBalance(ctx, user_id);
  });
}

/** Only an answer costs something. */
function chargeOf(
  outcome: ChatOutcome,
  { price, prompt }: { price: Price; prompt: string },
): number {
  if (outcome.kind !== 'answered') return 0;
  const { tokens, text } = outcome;
  return chargeFor(price, tokens ? tokens.input + tokens.output : estimatedTokens(prompt, text));
}

/** Ends a prompt whose process has ended and returns its reservation. */
export async function abandonPrompt(ctx: Context, prompt: StartedPrompt): Promise<void> {
  await finishPrompt(ctx, prompt, { kind: 'broken', reason: texts.serverStopped });
}

export async function abandonPromptsBefore(ctx: Context, askedBefore: Date): Promise<void> {
  for (const prompt of await listUnendedPrompts(ctx.db, askedBefore))
    await abandonPrompt(ctx, prompt);
}

export function describeFailure(outcome: Exclude<ChatOutcome, { kind: 'answered' }>): string {
  return outcome.kind === 'aborted' ? texts.cancelled : texts.notCharged(outcome.reason);
}

/** The beginning of what the model said, if it cannot be used. */
export function unusableAnswer(outcome: ChatOutcome): string | null {
  const answer = 'answer' in outcome ? outcome.answer : undefined;
  return answer === undefined ? null : cutUnusable(answer);
}

function refuseFailed(message: string, answer: string | null): never {
  refuse('model_failed', { message, ...(answer === null ? {} : { fields: { answer } }) });
}
