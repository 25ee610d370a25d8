import {
  type CallRequest,
  type ChatModelChoice,
  can,
  type FormatFinding,
  type ModelOption,
  modelOptions,
  optionsOfKind,
  type Price,
  type ReasoningEffort,
  reasoningEfforts,
} from '@rowmill/contract';
import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse, refuseField, refuseFields } from '../../core/refusal.ts';
import type { ChatModel } from '../../engine/port.ts';
import { type Clock, minute, second } from '../../lib/clock.ts';
import * as texts from '../../texts/prompts.ts';
import type { ModelSettings } from '../providers/port.ts';
import { askOptions } from './chat-request.ts';
import { listFormats } from './store.ts';

const cacheMilliseconds = 5 * minute;
const retryMilliseconds = 10 * second;
const maximumListed = 200;

/**
 * Caches the provider's models, which every quote needs and which rarely change. An old list is
 * used until a new one arrives, so a slow or dead provider delays no quote.
 */
export function withModelCache(chat: ChatModel, clock: Clock): ChatModel {
  let models: { id: string }[] = [];
  let expiresAt = 0;
  let loading: Promise<void> | null = null;
  async function load(): Promise<void> {
    const listed = await chat.listModels().catch(() => []);
    if (listed.length > 0) models = listed.slice(0, maximumListed);
    const kept = listed.length > 0 ? cacheMilliseconds : retryMilliseconds;
    expiresAt = clock.now().getTime() + kept;
    loading = null;
  }
  return {
    ...chat,
    async listModels() {
      if (clock.now().getTime() >= expiresAt) loading ??= load();
      if (models.length === 0) await loading;
      return models;
    },
  };
}

/** The models offered to a person, the default first: the environment's, then added ones. */
export const listModels: Handler<'getModels'> = async (ctx, by) => {
  const { names } = await offeredModels(ctx, by);
  const formats = await listFormats(ctx.db);
  return { models: names.map((name) => describeModel(ctx, name, formats)) };
};

/** `isOpen`: the environment's provider lists nothing, so it decides itself when it is asked. */
async function offeredModels(ctx: Context, { roleId }: Pick<Actor, 'roleId'>) {
  const isOffered = ({ offered_to: audience }: ModelSettings) =>
    audience === 'everyone' || (audience === 'admins' && can(roleId, 'manageClients'));
  const setUp = ctx.models.list();
  const added = setUp.filter(({ provider_id: id }) => id !== null);
  const listed = (await ctx.chat.listModels().catch(() => [])).map(({ id }) => id);
  const isDemo = ctx.chat.name === 'demo';
  const standard = ctx.config.chat.model;
  // An operator may name a model otherwise than its provider does, or one that is not in its list.
  const own = [...listed, ...setUp.filter(({ provider_id: id }) => id === null).map(nameOf)];
  // The demo model is offered only while there is no other one.
  const offered = isDemo && !ctx.config.chat.baseUrl && added.some(isOffered) ? [] : own;
  const names = [...new Set(standard ? [standard, ...offered] : offered)].filter((name) => {
    const settings = ctx.models.find(name);
    return !settings || (settings.provider_id === null && isOffered(settings));
  });
  return {
    names: [...names, ...added.filter(isOffered).map(nameOf)],
    isOpen: !standard && listed.length === 0,
  };
}

const nameOf = ({ name }: ModelSettings) => name;

function describeModel(
  ctx: Context,
  id: string,
  formats: ReadonlyMap<string, FormatFinding>,
): ChatModelChoice {
  const settings = ctx.models.find(id);
  const { name } = ctx.chat;
  return {
    id,
    label: labelOf(ctx, id),
    submissions_per_row: priceOf(ctx, id).submissions,
    price_tokens: settings?.price_tokens ?? null,
    answer_tokens: settings?.answer_tokens ?? null,
    is_demo: name === 'demo' && !settings?.provider_id,
    options: [...optionsOf(ctx, id)],
    reasoning_efforts: [...effortsOf(ctx, id)],
    response_format:
      formats.get(`${settings?.provider_id ?? name} ${settings?.asked_as ?? id}`) ?? null,
  };
}

function labelOf({ models }: Context, model: string): string {
  return models.find(model)?.label ?? model;
}

function optionsOf({ models }: Context, model: string): readonly ModelOption[] {
  return models.find(model)?.options ?? optionsOfKind(models.environment.kind);
}

function effortsOf(ctx: Context, model: string): readonly ReasoningEffort[] {
  if (!optionsOf(ctx, model).includes('reasoning_effort')) return [];
  return ctx.models.find(model)?.reasoning_efforts ?? reasoningEfforts;
}

/** The concurrency that is set for the model's provider, for all processes together. */
export function callsAtOnce({ models }: Context, model: string): number {
  return models.limitsOf(models.keyOf(model)).concurrency;
}

export interface BatchModel {
  model: string;
  is_model_set_up: boolean;
}

/** Without its settings the registry would ask the environment's provider, which no one chose. */
export function isModelRemoved({ models }: Context, { model, is_model_set_up }: BatchModel) {
  return is_model_set_up && !models.find(model);
}

function priceOf(ctx: Context, model: string): Price {
  const settings = ctx.models.find(model);
  if (settings) {
    const { price: submissions, price_tokens: tokens, answer_tokens: answerTokens } = settings;
    return { submissions, size: tokens && answerTokens ? { tokens, answerTokens } : null };
  }
  const { prices } = ctx.config.chat;
  // A provider may list a model called "__proto__".
  return { submissions: Object.hasOwn(prices, model) ? (prices[model] ?? 1) : 1, size: null };
}

type Wanted = Pick<NonNullable<CallRequest<'askChatGpt'>['query']>, ModelOption | 'model'>;

/** The model, its price and options. Refuses unknown models and options it does not take. */
export async function chooseModel(
  ctx: Context,
  by: Pick<Actor, 'roleId'>,
  { field, ...wanted }: Wanted & { field: (name: string) => string },
) {
  const { names, isOpen } = await offeredModels(ctx, by);
  const name = wanted.model ?? names[0] ?? refuse('model_failed', { message: texts.noModels });
  if (!names.includes(name) && !(isOpen && !ctx.models.find(name)))
    refuseField(field('model'), texts.unknownModel(name));
  const taken = optionsOf(ctx, name);
  const fields = Object.fromEntries(
    refusedOptions(taken, wanted).map((option) => [
      field(option),
      texts.optionNotTaken(option, labelOf(ctx, name)),
    ]),
  );
  refuseFields(fields);
  const { reasoning_effort: effort } = wanted;
  const efforts = effortsOf(ctx, name);
  if (effort && !efforts.includes(effort))
    refuseField(field('reasoning_effort'), texts.effortNotTaken(labelOf(ctx, name), efforts));
  const price = priceOf(ctx, name);
  const options = askOptions(wanted);
  // With a price by size, the reservation must cover the longest answer.
  if (price.size && taken.includes('max_tokens')) options.max_tokens ??= price.size.answerTokens;
  return { model: name, price, options };
}

function refusedOptions(taken: readonly ModelOption[], wanted: Wanted): ModelOption[] {
  const isSet = (option: ModelOption) => {
    const value = wanted[option];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
  };
  return modelOptions.filter((option) => isSet(option) && !taken.includes(option));
}
