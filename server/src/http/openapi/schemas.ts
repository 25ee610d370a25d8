import {
  activity,
  auditRecord,
  batch,
  billingAddress,
  catalogueChange,
  cataloguePack,
  cataloguePlan,
  chatModel,
  clientSummary,
  creditPack,
  type Endpoint,
  endpoints,
  personSummary,
  plan,
  pricing,
  progressEvent,
  receipt,
  review,
  saleItem,
  sheet,
  taxIncluded,
  user,
  userPlan,
} from '@rowmill/contract';
import type { ZodMiniType } from 'zod/mini';
import { type JSONSchema, registry, toJSONSchema } from 'zod/v4/core';
import { refusalSchema } from './refusals.ts';

export interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
}
type Schemas = Record<string, Schema>;
type Direction = 'input' | 'output';

/** Shapes that several answers share, under the names that generated clients get. */
const sharedInAnswers = {
  Activity: activity,
  AuditRecord: auditRecord,
  Batch: batch,
  BillingAddress: billingAddress,
  CatalogueChange: catalogueChange,
  CataloguePack: cataloguePack,
  CataloguePlan: cataloguePlan,
  ChatModel: chatModel,
  ClientSummary: clientSummary,
  CreditPack: creditPack,
  PersonSummary: personSummary,
  Plan: plan,
  Pricing: pricing,
  ProgressEvent: progressEvent,
  Receipt: receipt,
  Review: review,
  Sheet: sheet,
  TaxIncluded: taxIncluded,
  User: user,
  UserPlan: userPlan,
};
const sharedInRequests = { SaleItem: saleItem };

const calls = Object.entries(endpoints) as [string, Endpoint][];

export const requestName = (call: string) => `${capitalised(call)}Request`;
export const answerName = (call: string) => `${capitalised(call)}Answer`;

export function componentSchemas(): Schemas {
  const requests = calls.filter(([, { method }]) => method === 'POST');
  const answers = calls.filter(([, { sends }]) => sends === undefined);
  const inputs = schemasOf('input', {
    ...sharedInRequests,
    ...Object.fromEntries(requests.map(([call, { request }]) => [requestName(call), request])),
  });
  const outputs = schemasOf('output', {
    ...sharedInAnswers,
    ...Object.fromEntries(answers.map(([call, { answer }]) => [answerName(call), answer])),
  });
  for (const [call, endpoint] of requests) {
    const name = requestName(call);
    inputs[name] = asBody(endpoint, inputs[name] as Schema);
  }
  for (const [call] of answers) {
    const name = answerName(call);
    outputs[name] = inEnvelope(outputs[name] as Schema);
  }
  return { Refusal: refusalSchema, ...inputs, ...outputs };
}

/** One schema without references, for the parameters of a call. */
export function inlineSchema(schema: ZodMiniType): Schema {
  return toJSONSchema(schema, options('input')) as Schema;
}

function schemasOf(io: Direction, named: Record<string, ZodMiniType>): Schemas {
  const names = registry<{ id: string }>();
  // Calls may share a schema, such as the empty request. Every call gets its own component.
  for (const [id, schema] of Object.entries(named))
    names.add(names.has(schema) ? schema.clone() : schema, { id });
  const { schemas } = toJSONSchema(names, {
    ...options(io),
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id, $schema, ...schema }]) => [name, schema as Schema]),
  );
}

function options(io: Direction) {
  return {
    io,
    unrepresentable: 'any' as const,
    override: ({ jsonSchema }: { jsonSchema: JSONSchema.BaseSchema }) => simplify(jsonSchema, io),
  };
}

/**
 * Removes what says nothing, and lets answers get more fields in later versions. A default becomes
 * text: generators would make its field required in requests.
 */
function simplify(schema: JSONSchema.BaseSchema, io: Direction): void {
  const { anyOf, minimum, maximum, additionalProperties } = schema;
  if (anyOf?.some((part) => Object.keys(part).length === 0)) delete schema.anyOf;
  if (minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (io === 'output' && additionalProperties === false) delete schema.additionalProperties;
  if (schema.default === undefined) return;
  schema.description = `Default: ${JSON.stringify(schema.default)}.`;
  delete schema.default;
}

/** The part of a request in the body: all but the path's parameters and an upload's file. */
function asBody({ path, accepts }: Endpoint, schema: Schema): Schema {
  const inBody = (name: string) => !path.includes(`{${name}}`);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => inBody(name));
  const required = (schema.required ?? []).filter(inBody);
  const isUpload = accepts === 'multipart';
  if (isUpload) required.push('file');
  return {
    ...schema,
    properties: { ...(isUpload ? { file } : {}), ...Object.fromEntries(properties) },
    required,
  };
}

/** `format` is for generators that know OpenAPI 3.0, the media type for those that know 3.1. */
const file = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
  description: 'The sheet with its name: CSV or another delimited text, XLSX or JSON Lines.',
};

const envelope = {
  status: { type: 'boolean', const: true },
  message: { type: 'string', description: 'What was done, for people.' },
};

/** An answer may name `status` or `message` itself; its own definition counts. */
function inEnvelope(schema: Schema): Schema {
  return {
    ...schema,
    properties: { ...envelope, ...schema.properties },
    required: [...new Set(['status', ...(schema.required ?? [])])],
  };
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
