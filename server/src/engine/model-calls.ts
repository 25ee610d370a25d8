import type { Context } from '../core/context.ts';
import type { AskOptions } from '../db/schema.ts';
import { askOptions, chatRequest } from '../domains/prompts/chat-request.ts';
import { isModelRemoved } from '../domains/prompts/models.ts';
import { ServiceUnavailable } from '../lib/unavailable.ts';
import * as texts from '../texts/model-calls.ts';
import type { LeasedRow } from './leased-slice.ts';
import { type ChatModel, type ChatOutcome, isUnanswered } from './port.ts';

/** A provider that is up answers a few words within this, however long a row may take. */
const probeDeadlineMilliseconds = 30_000;

/** Sends a row. An error while its prompt is built costs an attempt and not the process. */
export async function callModel(
  ctx: Context,
  chat: ChatModel,
  row: LeasedRow,
  serviceTier?: 'flex',
): Promise<ChatOutcome> {
  const { slice, readPrompt, correction, attempts } = row;
  const { model, options, abort, first: position, userId: owner } = slice;
  if (isModelRemoved(ctx, { model, is_model_set_up: slice.isModelSetUp }))
    return { kind: 'provider_refused', reason: texts.modelRemoved };
  try {
    const fillPrompt = readPrompt ? await readPrompt() : row.fillPrompt;
    const prompt = fillPrompt();
    ctx.passFaultPoint?.('before-call', prompt);
    const request = chatRequest(ctx, { model, prompt, options, position, signal: abort.signal });
    const outcome = await chat.ask(
      Object.assign(request, { serviceTier, correction, attempts, owner }),
    );
    // For the marks, which compare the answer with the prompt.
    if (outcome.kind === 'answered') row.fillPrompt = fillPrompt;
    // At the normal tier it is a refusal like any other.
    return outcome.kind === 'no_capacity' && !serviceTier
      ? { kind: 'try_later', retryAt: null, reason: outcome.reason }
      : outcome;
  } catch (error) {
    // The file store is down. Its slice is read again later.
    if (error instanceof ServiceUnavailable) return { kind: 'aborted' };
    ctx.log.error({ err: error }, 'a row could not be sent');
    return { kind: 'broken', reason: texts.notSent };
  }
}

interface Probe {
  model: string;
  /** Of the request that is tested. */
  options?: AskOptions;
  signal: AbortSignal;
}

/** Any reply proves that the provider is up, except a failure or a "try later" without a time. */
export async function probeProvider(ctx: Context, probe: Probe): Promise<boolean> {
  const outcome = await askProbe(ctx, probe);
  return !isUnanswered(outcome) && outcome.kind !== 'aborted';
}

/** Whether the key may ask this model, with these options. */
export async function probeKey(ctx: Context, probe: Probe): Promise<boolean> {
  const { kind } = await askProbe(ctx, probe);
  return kind === 'answered' || kind === 'row_refused' || kind === 'unusable';
}

function askProbe(
  ctx: Context,
  { model, options = askOptions({}), signal }: Probe,
): Promise<ChatOutcome> {
  const { chat, config } = ctx;
  return chat.ask({
    ...chatRequest(ctx, { model, prompt: texts.probePrompt, options, signal }),
    deadlineMilliseconds: Math.min(probeDeadlineMilliseconds, config.chat.deadlineMilliseconds),
  });
}
