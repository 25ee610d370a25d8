import { readFileSync } from 'node:fs';
import { type Endpoint, endpoints, type Host } from '@rowmill/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { limitNetworks } from '../session-gate.ts';
import { describeOperation } from './operation.ts';
import { RefusalResponses } from './refusals.ts';
import { componentSchemas } from './schemas.ts';

/** Serves the contract as an OpenAPI document. */
export function addOpenApi(app: FastifyInstance, config: Config): void {
  // Made at the first request, because it takes 40 ms.
  let document: Buffer | undefined;
  app.register(async (scope) => {
    limitNetworks(scope);
    scope.get('/openapi.json', async (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(describeContract(config)));
      return reply.header('cache-control', 'no-cache').type('application/json').send(document);
    });
  });
}

const tags: Record<Host, string> = {
  auth: 'Accounts, sessions and clients.',
  plan: 'Plans, packs and the catalogue.',
  main: 'Sheets, batches, orders and payments.',
};

const description = `Bulk processing of spreadsheet prompts by a chat AI.

Sign in with \`login\` and send its \`user_token\` as a bearer token. Then upload a sheet with \`saveFile\`, and call \`askChatGpt\` with its id: \`quote\` first, \`start\` next. Follow the batch with \`getBatch\`, or with \`events\`, which repeats nothing: connect first, then ask \`getBatch\` once. Fetch the answers with \`downloadChatGptResponse\`.

An admin acts for a client by naming the client's id in the header \`Acting-For\` or in \`switchedAs.user_id\`; a field counts before the header. A call with the id of a batch, sheet or order runs for its owner when no client is named, except \`askChatGpt\`. An unknown option in \`query\` or in the query string of a POST is refused with 422, which names it; other unknown fields of a body are ignored. Answers may get more fields in later versions. The webhooks of the payment providers are not part of this document.`;

export type ApiSettings = Pick<Config, 'http' | 'hosts' | 'operator'>;

export function describeContract({ http, hosts, operator }: ApiSettings): object {
  const refusals = new RefusalResponses();
  const paths = Object.fromEntries(
    Object.entries(endpoints).map(([name, endpoint]: [string, Endpoint]) => [
      endpoint.path,
      {
        ...(hosts[endpoint.host] ? { servers: [{ url: hosts[endpoint.host] }] } : {}),
        [endpoint.method.toLowerCase()]: describeOperation(name, endpoint, refusals),
      },
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rowmill',
      version: packageVersion(),
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: operator.company, email: operator.email },
    },
    servers: [{ url: http.publicUrl }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The `user_token` of `login`.' },
      },
      parameters: { IdempotencyKey: idempotencyKey, ActingFor: actingFor },
      headers: { RequestId: requestId, RetryAfter: retryAfter },
      responses: refusals.components,
      schemas: componentSchemas(),
    },
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Repeating a call with the same key and request within 24 hours returns the first answer instead of acting twice.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  example: '5f0c6b1e-2a4d-4f0e-9a53-0d6f1f2b7c11',
};

const actingFor = {
  name: 'Acting-For',
  in: 'header',
  description: 'The id of the client for whom an admin makes the call, when no field names one.',
  schema: { type: 'string', minLength: 1 },
  example: '0199b2c0-1111-7a2b-8c3d-4e5f60718293',
};

const requestId = {
  description: 'The id of the request, for questions to support.',
  schema: { type: 'string' },
  example: '01994b1a-7c00-7000-8000-000000000001',
};

const retryAfter = {
  description: 'The seconds to wait before the next attempt.',
  schema: { type: 'integer', minimum: 1 },
  example: 2,
};

function packageVersion(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  return version;
}
