import { actingForHeader, type Endpoint } from '@rowmill/contract';
import type { FastifyRequest } from 'fastify';
import type { ZodMiniType } from 'zod/mini';
import { refuse } from '../core/refusal.ts';
import { mustBeObject } from '../texts/http.ts';

type Fields = Record<string, unknown>;

/** The fields of a request, wherever they travel: path, body, query string, and a header for the client acted for. */
export function fieldsOf(endpoint: Endpoint, request: FastifyRequest): Fields {
  const sent =
    endpoint.method === 'GET'
      ? (request.query as Fields)
      : { ...fieldsInQuery(endpoint, request.query as Fields), ...bodyOf(request) };
  return withClient(endpoint, request, { ...sent, ...(request.params as Fields) });
}

/** A field names the client before the header does. */
export function withClient(endpoint: Endpoint, request: FastifyRequest, fields: Fields): Fields {
  const user_id = request.headers[actingForHeader];
  if (endpoint.actAs !== 'switchedAs' || user_id === undefined) return fields;
  if (fields.switchedAs !== undefined && fields.switchedAs !== null) return fields;
  return { ...fields, switchedAs: endpoint.method === 'GET' ? user_id : { user_id } };
}

/** A POST without a body is an empty request. */
function bodyOf({ body }: FastifyRequest): object {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    refuse('invalid_input', { fields: { request: mustBeObject } });
  return body;
}

/** Fields that the specification does not list for the body. Only these: a password must not be in an address. */
function fieldsInQuery({ body, request }: Endpoint, query: Fields): Fields {
  const { shape = {} } = request as { shape?: Record<string, ZodMiniType> };
  const accepted = Object.entries(shape).filter(
    ([name]) => body && !body.includes(name) && name !== 'switchedAs' && query[name] !== undefined,
  );
  return Object.fromEntries(
    accepted.map(([name, schema]) => [name, readText(schema, query[name])]),
  );
}

/** In a query string everything is text: what is not one for the schema is read as a number or truth value. */
function readText(schema: ZodMiniType, text: unknown): unknown {
  if (typeof text !== 'string' || schema.safeParse(text).success) return text;
  return /^(true|false|-?\d{1,15})$/.test(text) ? JSON.parse(text) : text;
}
