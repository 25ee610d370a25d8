import {
  type Endpoint,
  endpoints,
  type RefusalCode,
  refusals,
  refusalsOf,
} from '@rowmill/contract';
import type { FastifyInstance } from 'fastify';
import { toJSONSchema } from 'zod/v4/core';

/** Serves the contract as an OpenAPI document. */
export function addOpenApi(app: FastifyInstance, publicUrl: string): void {
  const document = describeContract(publicUrl);
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(document),
  );
}

export function describeContract(publicUrl: string): object {
  const paths: Record<string, object> = {};
  for (const [name, endpoint] of Object.entries(endpoints))
    paths[endpoint.path] = describeCall(name, endpoint);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rowmill',
      version: '1',
      description: 'Bulk processing of spreadsheet prompts by a chat AI.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

function describeCall(name: string, endpoint: Endpoint): object {
  const parameters = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    [endpoint.method.toLowerCase()]: {
      operationId: name,
      tags: [endpoint.host],
      summary: endpoint.summary,
      ...(endpoint.who === 'anyone' ? {} : { security: [{ bearer: [] }] }),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(endpoint.accepts === 'nothing'
        ? {}
        : { requestBody: { content: describeRequest(endpoint) } }),
      responses: { 200: describeAnswer(endpoint), ...describeRefusals(refusalsOf(endpoint)) },
    },
  };
}

function describeRequest(endpoint: Endpoint): object {
  const type = endpoint.accepts === 'multipart' ? 'multipart/form-data' : 'application/json';
  return { [type]: { schema: schemaOf(endpoint.request, 'input') } };
}

function describeAnswer(endpoint: Endpoint): object {
  if (endpoint.sends === 'file')
    return { description: 'A file.', content: { 'application/octet-stream': {} } };
  if (endpoint.sends === 'events')
    return { description: 'A stream of events.', content: { 'text/event-stream': {} } };
  const envelope = {
    type: 'object',
    properties: { status: { type: 'boolean' }, message: { type: 'string' } },
    required: ['status'],
  };
  return {
    description: 'Done.',
    content: {
      'application/json': { schema: { allOf: [envelope, schemaOf(endpoint.answer, 'output')] } },
    },
  };
}

function describeRefusals(codes: ReadonlySet<RefusalCode>): object {
  const byStatus = Map.groupBy(codes, (code) => refusals[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [status, { description: group.join(', ') }]),
  );
}

function schemaOf(schema: Endpoint['request'], io: 'input' | 'output'): object {
  return toJSONSchema(schema, { io, unrepresentable: 'any' });
}
