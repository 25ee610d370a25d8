import { isDeepStrictEqual } from 'node:util';
import {
  type CallRequest,
  kindsWithFlex,
  type ModelOption,
  optionsOfKind,
  type Provider,
  type ProviderModel,
  providerLimits,
} from '@rowmill/contract';
import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import type { Handler } from '../../core/handlers.ts';
import { assertUpToDate, refuse, refuseField, refuseFields } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import { mayCallAddress } from '../../lib/outside-address.ts';
import type { Act, FieldChange } from '../../texts/audit.ts';
import * as texts from '../../texts/providers.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { listPauses, queueFixed } from '../batches/lifecycle/engine-pause.ts';
import {
  insertModel,
  insertProvider,
  listFailedOver,
  listModelRows,
  listProviders,
  lockProviders,
  type ModelRow,
  type ProviderRow,
  removeProvider,
  saleCurrency,
  updateModel,
  updateProvider,
} from './store.ts';

type ProviderRequest = CallRequest<'saveProvider'>;
type ModelRequest = CallRequest<'saveModel'>;

/** The environment's provider first. No answer has a key. */
export const showProviders: Handler<'getProviders'> = async (ctx) => {
  const { name, kind, address, hasKey, limits } = ctx.models.environment;
  const environment: Provider = {
    id: null,
    name,
    kind,
    address,
    has_key: hasKey,
    problem: null,
    ...limits,
    is_enabled: true,
    version: 0,
  };
  const providers = await listProviders(ctx.db);
  const pauses = await listPauses(ctx);
  const pausesOf = (id: string | null, key: string) => {
    const found = pauses.get(key);
    return found ? [{ provider_id: id, ...found }] : [];
  };
  return {
    pauses: [...pausesOf(null, name), ...providers.flatMap(({ id }) => pausesOf(id, id))],
    providers: [environment, ...providers.map((row) => describeProvider(ctx, row))],
    models: (await listModelRows(ctx.db)).map(describeModel),
    failed_over: await listFailedOver(ctx.db, ctx.clock.now()),
    currency: await saleCurrency(ctx.db),
    can_store_keys: ctx.models.seal !== null,
  };
};

function describeProvider(ctx: Context, { sealed_key, ...row }: ProviderRow): Provider {
  return { ...row, has_key: sealed_key !== null, problem: ctx.models.problemOf(row.id) };
}

function describeModel({ price, ...row }: ModelRow): ProviderModel {
  return { ...row, submissions_per_row: price };
}

export const saveProvider: Handler<'saveProvider'> = async (ctx, actor, request) => {
  const { id, version, key, ...wanted } = request;
  const saved = await inTransaction(ctx, async (ctx) => {
    await lockProviders(ctx.db);
    const all = await listProviders(ctx.db);
    const present = all.find((provider) => provider.id === id);
    if (id !== undefined && !present) refuse('not_found');
    assertUpToDate(present, version);
    const models = await listModelRows(ctx.db);
    refuseIfAny(problemsOfProvider(ctx, request, { all, present, models }));
    const providerId = present?.id ?? newId(ctx.clock.now());
    const sealed_key = sealedKey(ctx, { key, present, providerId });
    const values = { ...wanted, sealed_key };
    if (present)
      await updateProvider(ctx.db, providerId, { ...values, version: present.version + 1 });
    else await insertProvider(ctx.db, { ...values, id: providerId, created_at: ctx.clock.now() });
    const changes = present ? changesBetween(present, values) : [];
    await noteChange(ctx, actor, { provider: present?.name ?? wanted.name, changes });
    const resumed = mayFix(request, present) ? await queueFixed(ctx, { provider: providerId }) : 0;
    return { providerId, resumed };
  });
  await ctx.models.reload();
  const row = (await listProviders(ctx.db)).find(({ id }) => id === saved.providerId);
  if (!row) refuse('not_found');
  const message = texts.providerSaved(row.name, saved.resumed);
  return { provider: describeProvider(ctx, row), message };
};

/** Models are never deleted: batches name them. */
export const deleteProvider: Handler<'deleteProvider'> = async (ctx, actor, { id }) => {
  const name = await inTransaction(ctx, async (ctx) => {
    await lockProviders(ctx.db);
    const present = (await listProviders(ctx.db)).find((provider) => provider.id === id);
    if (!present) refuse('not_found');
    const models = await listModelRows(ctx.db);
    if (models.some(({ provider_id }) => provider_id === id))
      refuse('not_now', { message: texts.providerHasModels });
    await removeProvider(ctx.db, id);
    await noteChange(ctx, actor, { provider: present.name }, 'provider_deleted');
    return present.name;
  });
  await ctx.models.reload();
  return { message: texts.providerDeleted(name) };
};

/** Whether batches that the provider refused may be answered after this change. */
function mayFix(
  { key, kind, address, is_enabled }: ProviderRequest,
  present?: ProviderRow,
): boolean {
  if (!is_enabled) return false;
  const isSame = kind === present?.kind && address === present.address && present.is_enabled;
  return !isSame || key !== undefined;
}

interface Known {
  all: readonly ProviderRow[];
  present: ProviderRow | undefined;
  models: readonly ModelRow[];
}

function problemsOfProvider(
  ctx: Context,
  { name, kind, address, key }: ProviderRequest,
  { all, present, models }: Known,
): Record<string, string> {
  const isTaken = all.some(
    (other) => other.id !== present?.id && other.name.toLowerCase() === name.toLowerCase(),
  );
  // A saved key goes to no other machine than the one it was entered for.
  const mayCall = mayCallAddress(address);
  const isMoved =
    mayCall && present?.sealed_key && new URL(present.address).origin !== new URL(address).origin;
  const fields: Record<string, string> = {};
  if (isTaken) fields.name = texts.nameTaken;
  if (!present && all.length >= providerLimits.providers)
    fields.name = texts.tooMany(providerLimits.providers);
  const own = models.filter((model) => present && model.provider_id === present.id);
  const lost = own.flatMap(({ options }) => optionsBeyond(kind, options));
  if (lost[0]) fields.kind = texts.kindLacks(lost[0]);
  else if (!kindsWithFlex.includes(kind) && own.some(({ has_flex }) => has_flex))
    fields.kind = texts.noFlex;
  if (!mayCall) fields.address = texts.addressRefused;
  if (key && !ctx.models.seal) fields.key = texts.noSecretsKey;
  else if (isMoved && key === undefined) fields.key = texts.keyAgain;
  return fields;
}

interface Keyed {
  key: string | undefined;
  present: ProviderRow | undefined;
  providerId: string;
}

function sealedKey(ctx: Context, { key, present, providerId }: Keyed): string | null {
  if (key === undefined) return present?.sealed_key ?? null;
  return key === '' ? null : (ctx.models.seal?.(key, providerId) ?? null);
}

/** The name is what batches have stored, so it does not change. */
export const saveModel: Handler<'saveModel'> = async (ctx, actor, request) => {
  const { name, version, submissions_per_row: price, ...wanted } = request;
  const resumed = await inTransaction(ctx, async (ctx) => {
    await lockProviders(ctx.db);
    const all = await listModelRows(ctx.db);
    const present = all.find((model) => model.name === name);
    if (version !== undefined && !present) refuse('not_found');
    if (present && version === undefined) refuseField('name', texts.modelTaken);
    assertUpToDate(present, version);
    refuseIfAny(await problemsOfModel(ctx, request, { all, isNew: !present }));
    const values = { ...wanted, price };
    if (present) await updateModel(ctx.db, name, { ...values, version: present.version + 1 });
    else await insertModel(ctx.db, { ...values, name });
    const changes = present ? changesBetween(present, values) : [];
    await noteChange(ctx, actor, { model: name, changes });
    return mayServe(request, present) ? queueFixed(ctx, { model: name }) : 0;
  });
  await ctx.models.reload();
  const row = (await listModelRows(ctx.db)).find((model) => model.name === name);
  if (!row) refuse('not_found');
  return { model: describeModel(row), message: texts.modelSaved(row.label, resumed) };
};

/** Whether batches of the model that were refused may be answered after this change. */
function mayServe(
  { provider_id, asked_as, fallback }: ModelRequest,
  present: ModelRow | undefined,
): boolean {
  const isSame = provider_id === present?.provider_id && asked_as === present.asked_as;
  return !isSame || (fallback !== null && fallback !== present.fallback);
}

async function problemsOfModel(
  ctx: Context,
  request: ModelRequest,
  { all, isNew }: { all: readonly ModelRow[]; isNew: boolean },
): Promise<Record<string, string>> {
  const { name, provider_id, fallback, has_flex, options, price_tokens, answer_tokens } = request;
  const fields: Record<string, string> = {};
  const providers = await listProviders(ctx.db);
  if (provider_id !== null && !providers.some(({ id }) => id === provider_id))
    fields.provider_id = texts.unknownProvider;
  const kind = providers.find(({ id }) => id === provider_id)?.kind ?? ctx.models.environment.kind;
  const [lacking] = optionsBeyond(kind, options);
  if (lacking) fields.options = texts.kindLacks(lacking);
  if (options.includes('reasoning_effort') && request.reasoning_efforts.length === 0)
    fields.reasoning_efforts = texts.noEfforts;
  if (has_flex && !kindsWithFlex.includes(kind)) fields.has_flex = texts.noFlex;
  if (price_tokens === null && answer_tokens !== null) fields.price_tokens = texts.noPriceTokens;
  if (price_tokens !== null && answer_tokens === null) fields.answer_tokens = texts.noAnswerTokens;
  if (isNew && all.length >= providerLimits.models)
    fields.name = texts.tooMany(providerLimits.models);
  if (fallback === name) fields.fallback = texts.fallbackSelf;
  else if (fallback !== null) fields.fallback = problemOfFallback(fallback, { request, all });
  const isFallback = all.some((model) => model.fallback === name && !acceptsAllOf(request, model));
  if (isFallback) fields.options = texts.optionsOfFallback;
  return fields;
}

/** What the protocol has no field for. */
function optionsBeyond(kind: string, options: readonly ModelOption[]): ModelOption[] {
  return options.filter((option) => !optionsOfKind(kind).includes(option));
}

type Accepting = Pick<ModelRow, 'options' | 'reasoning_efforts'>;

function acceptsAllOf(model: Accepting, other: Accepting): boolean {
  const hasEfforts = other.options.includes('reasoning_effort');
  return (
    other.options.every((option) => model.options.includes(option)) &&
    (!hasEfforts ||
      other.reasoning_efforts.every((effort) => model.reasoning_efforts.includes(effort)))
  );
}

/** Why a model cannot be the fallback of another one; empty when it can. */
function problemOfFallback(
  fallback: string,
  { request, all }: { request: Accepting; all: readonly ModelRow[] },
): string {
  const model = all.find(({ name }) => name === fallback);
  if (!model) return texts.fallbackUnknown;
  return acceptsAllOf(model, request) ? '' : texts.fallbackTakesLess;
}

function refuseIfAny(problems: Record<string, string>): void {
  const fields = Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem));
  refuseFields(fields);
}

/** The key is secret, and the id of a provider tells people nothing. */
const withoutValues = ['sealed_key', 'provider_id'];

function changesBetween(before: Record<string, unknown>, after: object): FieldChange[] {
  return Object.entries(after)
    .filter(([field, value]) => !isDeepStrictEqual(before[field], value))
    .map(([field, value]) =>
      withoutValues.includes(field) ? [field] : [field, before[field], value],
    );
}

/** Every process hears of it when the transaction commits. */
async function noteChange(
  ctx: Context,
  actor: Actor,
  detail: ({ provider: string } | { model: string }) & { changes?: FieldChange[] },
  act: Act = Object.hasOwn(detail, 'provider') ? 'provider_saved' : 'model_saved',
): Promise<void> {
  await writeAuditEntry(ctx, { actor, subjectId: actor.id }, act, detail);
  record(ctx, 'providers_changed', { actor_id: actor.id });
  await ctx.publish(ctx.db, { user_id: '', providers: true });
}
