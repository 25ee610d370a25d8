import * as z from 'zod/mini';
import { call } from '../endpoint.ts';
import { count, id, line, wholeNumber } from '../fields.ts';
import { type ModelOption, modelOptions, reasoningEfforts, usualEfforts } from './model-options.ts';
import { formatFindings } from './offered-models.ts';

/** The protocols that a provider can speak. */
export const providerKinds = ['openai', 'anthropic', 'gemini', 'azure'] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** What a protocol has no field for. No model of such a provider takes it. */
const missing: Readonly<Record<string, readonly ModelOption[]>> = { anthropic: ['seed'] };

export function optionsOfKind(kind: string): ModelOption[] {
  return modelOptions.filter((option) => !missing[kind]?.includes(option));
}

/** Whose models may have a flex tier: half the price, when the provider has capacity. */
export const kindsWithFlex: readonly string[] = ['openai'];

/** What the limits per minute of a provider count: all calls of its key, or those of each model. */
export const limitScopes = ['key', 'model'] as const;
export type LimitScope = (typeof limitScopes)[number];

/** Of the OpenAI-compatible providers, those whose documents name limits for each model. */
const hostsWithLimitsPerModel = [
  'api.openai.com',
  'generativelanguage.googleapis.com',
  'api.groq.com',
  'api.mistral.ai',
  'api.x.ai',
  'api.cerebras.ai',
];

/** Anthropic, Gemini and Azure limit each model too. */
export function usualLimitScope(kind: string, address: string): LimitScope {
  const [, host = ''] = /^https?:\/\/([^/:?#]+)/i.exec(address) ?? [];
  return kind !== 'openai' || hostsWithLimitsPerModel.includes(host.toLowerCase())
    ? 'model'
    : 'key';
}

/** Who is offered a model. An admin's models also serve clients that the admin acts for. */
export const modelAudiences = ['everyone', 'admins', 'none'] as const;

export const providerLimits = {
  name: 60,
  model: 120,
  address: 300,
  key: 500,
  concurrency: 2_000,
  perMinute: 1_000_000_000,
  providers: 50,
  models: 200,
  price: 1_000,
  tokens: 1_000_000,
  leastPriceTokens: 100,
  position: 1_000,
  /** Millionths of the currency for a million tokens. */
  cost: 1_000_000_000,
} as const;

/** What a provider calls a model. */
export const modelName = line(providerLimits.model);

const cost = z.nullable(
  z
    .int('Must be an amount such as 2.50.')
    .check(
      z.gte(0, 'At least 0.'),
      z.lte(providerLimits.cost, `At most ${(providerLimits.cost / 1e6).toLocaleString('en')}.`),
    ),
);
const perMinute = z._default(z.nullable(wholeNumber(1, providerLimits.perMinute)), null);
const version = z.optional(wholeNumber(1, 2_147_483_647));
/** Without a password or key, which would be shown: only an API version may follow `?`. */
const webAddress = line(providerLimits.address).check(
  z.regex(/^https?:\/\//i, 'Enter an address that starts with https:// or http://.'),
  z.regex(
    /^[^/]*\/\/[^@/?#]*(?:[/?#]|$)/,
    'Leave out the name and password before @. A key belongs in its own field.',
  ),
  z.regex(/^[^#]*$/, 'Leave out # and what follows it.'),
  z.regex(
    /^https?:\/\/(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?([/?]\S*)?$/i,
    'Enter an address such as https://api.openai.com/v1.',
  ),
  z.regex(
    /^[^?]*(\?api-version=[\w.-]+)?$/,
    'Only ?api-version=… may end an address. A key belongs in its own field.',
  ),
);

/** A company or machine with models. The environment's has no id and is changed there. */
export const provider = z.object({
  id: z.nullable(id),
  name: z.string(),
  kind: z.string(),
  address: z.string(),
  has_key: z.boolean(),
  /** Why it cannot be called. */
  problem: z.nullable(z.string()),
  concurrency: count,
  /** What the key allows, if it is known. */
  requests_per_minute: z.nullable(count),
  tokens_per_minute: z.nullable(count),
  /** Whether they, and those that are learnt, count all its calls or those of each model. */
  limits_per: z.enum(limitScopes),
  is_enabled: z.boolean(),
  version: z.int(),
});
export type Provider = z.infer<typeof provider>;

/** A model of a provider, or, without a provider, what is set for a model of the environment's. */
export const providerModel = z.object({
  /** What `query.model` and batches call it. */
  name: z.string(),
  provider_id: z.nullable(id),
  /** Its name at the provider. */
  asked_as: z.string(),
  label: z.string(),
  submissions_per_row: count,
  /** The price buys this many tokens of prompt and answer, rounded up. Null: it is per row. */
  price_tokens: z.nullable(count),
  /** By size: how many tokens an answer may have when a person sets nothing. */
  answer_tokens: z.nullable(count),
  input_cost: z.nullable(count),
  cached_cost: z.nullable(count),
  output_cost: z.nullable(count),
  /** If the provider limits each model. Null: those of the provider. */
  requests_per_minute: z.nullable(count),
  tokens_per_minute: z.nullable(count),
  options: z.array(z.enum(modelOptions)),
  /** The values of `reasoning_effort`, if that is one of them. */
  reasoning_efforts: z.array(z.enum(reasoningEfforts)),
  offered_to: z.enum(modelAudiences),
  /** Batches with a deadline are asked in the provider's flex tier, at half the price. */
  has_flex: z.boolean(),
  /** What the tokens of the flex tier cost the operator, of the costs above. */
  flex_cost_percent: count,
  /** The model that answers while this one cannot. */
  fallback: z.nullable(z.string()),
  position: z.int(),
  version: z.int(),
});
export type ProviderModel = z.infer<typeof providerModel>;

export const getProviders = call({
  path: '/api/getProviders',
  summary: 'The providers of models and their models. Keys are never part of the answer.',
  requires: 'viewInstallation',
  answer: z.object({
    providers: z.array(provider),
    models: z.array(providerModel),
    /** Providers that paused batches, because they are down or refuse requests. */
    pauses: z.array(
      z.object({
        /** Null: the one of the environment. */
        provider_id: z.nullable(id),
        batches: count,
        /** What it said. */
        reason: z.nullable(z.string()),
      }),
    ),
    /** The models whose provider is down, and whose fallback answers. */
    failed_over: z.array(z.string()),
    /** The currency of the costs. */
    currency: z.string(),
    /** False without SECRETS_KEY: then no key can be saved. */
    can_store_keys: z.boolean(),
  }),
});

export const saveProvider = call({
  path: '/api/saveProvider',
  summary: 'Adds or changes a provider. It applies to the next call, without a restart.',
  requires: 'editProviders',
  request: z.object({
    id: z.optional(id),
    version,
    name: line(providerLimits.name),
    kind: z.enum(providerKinds, 'Choose a kind from the list.'),
    address: webAddress,
    /** Absent keeps the saved key; an empty text removes it. */
    key: z.optional(
      z.string('Must be text.').check(
        z.overwrite((text: string) => text.trim()),
        z.maxLength(providerLimits.key, `At most ${providerLimits.key} characters.`),
        z.regex(/^[\x21-\x7e]*$/, 'A key has no spaces or special characters.'),
      ),
    ),
    concurrency: wholeNumber(1, providerLimits.concurrency),
    requests_per_minute: perMinute,
    tokens_per_minute: perMinute,
    limits_per: z._default(z.enum(limitScopes, 'Choose from the list.'), 'key'),
    is_enabled: z.boolean('Must be true or false.'),
  }),
  answer: z.object({ provider }),
  refusals: ['not_found', 'not_now'],
});

export const deleteProvider = call({
  path: '/api/deleteProvider',
  summary: 'Deletes a provider that no model belongs to. Any other can be turned off.',
  requires: 'editProviders',
  request: z.object({ id }),
  refusals: ['not_found', 'not_now'],
});

export const saveModel = call({
  path: '/api/saveModel',
  summary: 'Adds or changes a model. Running batches keep their price.',
  requires: 'editProviders',
  request: z.object({
    name: line(providerLimits.model),
    version,
    provider_id: z.nullable(id),
    asked_as: modelName,
    label: line(providerLimits.name),
    submissions_per_row: wholeNumber(0, providerLimits.price),
    price_tokens: z._default(
      z.nullable(wholeNumber(providerLimits.leastPriceTokens, providerLimits.tokens)),
      null,
    ),
    answer_tokens: z._default(z.nullable(wholeNumber(1, providerLimits.tokens)), null),
    input_cost: cost,
    cached_cost: cost,
    output_cost: cost,
    requests_per_minute: perMinute,
    tokens_per_minute: perMinute,
    options: z
      .array(z.enum(modelOptions, 'Choose from the list.'), 'Must be a list.')
      .check(z.maxLength(modelOptions.length, 'Each option once.')),
    reasoning_efforts: z._default(
      z
        .array(z.enum(reasoningEfforts, 'Choose from the list.'), 'Must be a list.')
        .check(z.maxLength(reasoningEfforts.length, 'Each effort once.')),
      [...usualEfforts],
    ),
    offered_to: z.enum(modelAudiences, 'Choose from the list.'),
    has_flex: z._default(z.boolean('Must be true or false.'), false),
    flex_cost_percent: z._default(wholeNumber(0, 100), 50),
    fallback: z.nullable(line(providerLimits.model)),
    position: wholeNumber(1, providerLimits.position),
  }),
  answer: z.object({ model: providerModel }),
  refusals: ['not_found', 'not_now'],
});

export const testProvider = call({
  path: '/api/testProvider',
  summary:
    'Sends a short prompt to a provider, once for text and once for columns, and reports the result.',
  requires: 'editProviders',
  request: z.object({
    /** Null: the provider of the environment. */
    id: z.nullable(id),
    /** Its name at the provider. Absent: the first one that the provider lists. */
    model: z.optional(modelName),
  }),
  answer: z.object({
    works: z.boolean(),
    model: z.nullable(z.string()),
    /** What the provider said, if it did not answer. */
    problem: z.nullable(z.string()),
    milliseconds: z.nullable(count),
    /** What it makes of a request for answer columns. Null: unknown. */
    columns: z.nullable(z.enum(formatFindings)),
    counts_tokens: z.boolean(),
    /** What its headers say about the limits of the key. */
    limits: z.array(
      z.object({
        of: z.enum(['requests', 'tokens', 'input_tokens', 'output_tokens']),
        limit: z.number(),
        remaining: z.number(),
      }),
    ),
    /** The first models that it lists. */
    models: z.array(z.string()),
    /** Batches that it had refused, and that resume because it works. */
    resumed: count,
  }),
  refusals: ['not_found', 'too_many_requests'],
});
