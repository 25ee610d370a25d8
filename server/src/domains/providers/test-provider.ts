import {
  type AnswerOf,
  type Output,
  readAnswer,
  type testProvider as testProviderCall,
} from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import type { ChatModel, ChatOutcome, ChatRequest } from '../../engine/port.ts';
import { probePrompt } from '../../texts/model-calls.ts';
import * as texts from '../../texts/providers.ts';
import { queueFixed } from '../batches/lifecycle/engine-pause.ts';
import { consumeRateLimit, rateLimits } from '../requests/rate-limits.ts';
import { clearFailedOver, listProviders } from './store.ts';

type Report = Omit<AnswerOf<typeof testProviderCall>, 'status' | 'message'>;

const deadlineMilliseconds = 20_000;
const listedModels = 100;
const outputs: readonly Output[] = [{ name: 'answer', type: 'text' }];

/** Asks one small question in words, then in columns. Nothing is stored or charged. */
export const testProvider: Handler<'testProvider'> = async (ctx, actor, { id, model }) => {
  await consumeRateLimit(ctx, rateLimits.providerTestPerPerson, actor.id);
  const chat = await ctx.models.openForTest(id);
  if (!chat) {
    const problem = ctx.models.problemOf(id ?? '') ?? refuse('not_found');
    return { ...nothingFound, problem };
  }
  try {
    const report = await runTest(chat, model);
    if (!report.works) return report;
    await clearFailedOver(ctx.db, id);
    return { ...report, resumed: await resumeBatches(ctx, id) };
  } finally {
    await chat.close();
  }
};

/** A provider can also be tested while it is turned off. */
async function resumeBatches(ctx: Context, id: string | null): Promise<number> {
  if (id === null) return queueFixed(ctx, { provider: ctx.models.environment.name });
  const isInUse = (await listProviders(ctx.db)).some((row) => row.id === id && row.is_enabled);
  return isInUse ? queueFixed(ctx, { provider: id }) : 0;
}

async function runTest(chat: ChatModel, wanted: string | undefined): Promise<Report> {
  const { models, problem } = await listModels(chat);
  const model = wanted ?? models[0];
  if (!model) return { ...nothingFound, models, problem };
  const startedAt = performance.now();
  const outcome = await chat.ask(requestFor(model, []));
  const found = {
    ...nothingFound,
    models,
    model,
    milliseconds: Math.round(performance.now() - startedAt),
  };
  if (outcome.kind !== 'answered')
    return { ...found, problem: 'reason' in outcome ? outcome.reason : null };
  const limits = outcome.limits ?? [];
  return {
    ...found,
    works: true,
    counts_tokens: Boolean(outcome.tokens),
    limits: limits.map(({ of, limit, remaining }) => ({ of, limit, remaining })),
    columns: columnsOf(await chat.ask(requestFor(model, outputs))),
  };
}

async function listModels(chat: ChatModel): Promise<{ models: string[]; problem: string }> {
  try {
    const models = (await chat.listModels()).slice(0, listedModels).map(({ id }) => id);
    return { models, problem: texts.noModelListed };
  } catch (error) {
    return { models: [], problem: (error as Error).message };
  }
}

function columnsOf(outcome: ChatOutcome): Report['columns'] {
  if (outcome.kind === 'request_refused') return 'refuses';
  if (outcome.kind !== 'answered') return null;
  return 'cells' in readAnswer(outcome.text, outputs) ? 'obeys' : 'ignores';
}

function requestFor(model: string, outputs: readonly Output[]): ChatRequest {
  return {
    model,
    prompt: probePrompt,
    outputs,
    system: null,
    temperature: null,
    maxTokens: null,
    position: null,
    deadlineMilliseconds,
    signal: new AbortController().signal,
  };
}

const nothingFound: Report = {
  works: false,
  model: null,
  problem: null,
  milliseconds: null,
  columns: null,
  counts_tokens: false,
  limits: [],
  models: [],
  resumed: 0,
};
