import type { ChatModelChoice } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import type { ChatModel } from '../../engine/port.ts';
import { type Clock, minute, second } from '../../lib/clock.ts';
import * as texts from '../../texts/prompts.ts';
import { listFormats } from './store.ts';

const cacheMilliseconds = 5 * minute;
const retryMilliseconds = 10 * second;
const maximumListed = 200;

/**
 * Caches the provider's list of models, which every quote needs and which rarely changes. When the provider does not
 * answer, the last list stays.
 */
export function withModelCache(chat: ChatModel, clock: Clock): ChatModel {
  let models: { id: string }[] = [];
  let expiresAt = 0;
  return {
    name: chat.name,
    ask: (request) => chat.ask(request),
    close: () => chat.close(),
    async listModels() {
      const now = clock.now().getTime();
      if (now < expiresAt) return models;
      const listed = await chat.listModels().catch(() => null);
      expiresAt = now + (listed ? cacheMilliseconds : retryMilliseconds);
      if (listed) models = listed.slice(0, maximumListed);
      return models;
    },
  };
}

/** The default model first. */
export async function listModels(ctx: Context): Promise<{ models: ChatModelChoice[] }> {
  const offered = await ctx.chat.listModels().catch(() => []);
  const ids = offered.map(({ id }) => id);
  const formats = await listFormats(ctx.db, ctx.chat.name);
  const standard = ctx.config.chat.model;
  const ordered = standard ? [standard, ...ids.filter((id) => id !== standard)] : ids;
  return {
    models: ordered.map((id) => ({
      id,
      submissions_per_row: priceOf(ctx, id),
      is_demo: ctx.chat.name === 'demo',
      response_format: formats.get(id) ?? null,
    })),
  };
}

export function priceOf(ctx: Context, model: string): number {
  const { prices } = ctx.config.chat;
  // A provider may list a model called "__proto__".
  return Object.hasOwn(prices, model) ? (prices[model] ?? 1) : 1;
}

/** Refuses a model that the provider does not list. Without a list, the provider decides when it is asked. */
export async function chooseModel(ctx: Context, wanted: string | undefined): Promise<string> {
  const { models } = await listModels(ctx);
  if (!wanted) return models[0]?.id ?? refuse('model_failed', { message: texts.noModels });
  const isKnown = models.length === 0 || models.some(({ id }) => id === wanted);
  if (!isKnown) refuse('invalid_input', { fields: { 'query.model': texts.unknownModel(wanted) } });
  return wanted;
}
