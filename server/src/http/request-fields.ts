import { actingForHeader, type Endpoint, queryFieldsOf } from '@rowmill/contract';
import type { FastifyRequest } from 'fastify';
import type { ZodMiniType } from 'zod/mini';
import { refuse, refuseField } from '../core/refusal.ts';
import { mustBeObject, notInQuery } from '../texts/http.ts';
import { namedAs } from './parse-request.ts';

type Fields = Record<string, unknown>;

/** The fields of a request: path, body, query string, and a header for the client acted for. */
export function fieldsOf(endpoint: Endpoint, request: FastifyRequest): Fields {
  const sent =
    endpoint.method === 'GET'
      ? (request.query as Fields)
      : { ...fieldsInQuery(endpoint, request.query as Fields), ...bodyOf(request) };
  return withClient(endpoint, request, { ...sent, ...(request.params as Fields) });
}

/** A field names the client before the header does. */
export function withClient(endpoint: Endpoint, request: FastifyRequest, fields: Fields): Fields {
  const { actAs, method } = endpoint;
  const user_id = request.headers[actingForHeader];
  if (actAs === 'self' || user_id === undefined) return fields;
  if ((fields[actAs] ?? fields.switchedAs ?? null) !== null) return fields;
  const isRecord = actAs === 'switchedAs' && method === 'POST';
  return { ...fields, [actAs]: isRecord ? { user_id } : user_id };
}

/** A POST without a body is an empty request. The fields of a form would be ignored. */
function bodyOf(request: FastifyRequest): object {
  const { body, headers } = request;
  if (request.isMultipart() && headers['content-length'] !== '0') refuse('unsupported_media');
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) refuseField('request', mustBeObject);
  return body;
}

/** The fields in the query string of a POST. Refuses any other, which would be ignored. */
export function fieldsInQuery(endpoint: Endpoint, query: Fields): Fields {
  const known = queryFieldsOf(endpoint);
  const misplaced = Object.keys(query).filter((name) => !Object.hasOwn(known, name));
  if (misplaced.length > 0) refuse('invalid_input', { fields: namedAs(notInQuery, misplaced) });
  return Object.fromEntries(
    Object.entries(known)
      .filter(([name]) => query[name] !== undefined)
      .map(([name, schema]) => [name, readText(schema, query[name])]),
  );
}

/** Reads text of a query string or a form as a number or boolean if the schema needs one. */
export function readText(schema: ZodMiniType, text: unknown): unknown {
  if (typeof text !== 'string' || schema.safeParse(text).success) return text;
  return /^(true|false|-?\d{1,15})$/.test(text) ? JSON.parse(text) : text;
}
