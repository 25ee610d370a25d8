import { type Endpoint, queryFieldsOf } from '@rowmill/contract';
import { examples } from './examples.ts';
import type { RefusalResponses } from './refusals.ts';
import { answerName, inlineSchema, requestName } from './schemas.ts';

export function describeOperation(
  name: string,
  endpoint: Endpoint,
  refusals: RefusalResponses,
): object {
  const { host, summary, who, method } = endpoint;
  const parameters = describeParameters(endpoint);
  return {
    operationId: name,
    tags: [host],
    summary,
    description: describeCaller(endpoint),
    security: who === 'anyone' ? [] : [{ bearer: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(method === 'GET' ? {} : { requestBody: describeBody(name, endpoint) }),
    responses: { 200: describeAnswer(name, endpoint), ...refusals.of(endpoint) },
  };
}

function describeCaller({ who, requires, actAs, names }: Endpoint): string {
  const callers = {
    anyone: 'Needs no sign-in.',
    session: 'Needs a signed-in person, even with an unverified address.',
    verified: 'Needs a signed-in person with a verified address.',
  };
  return [
    callers[who],
    ...(requires ? [`Their role needs the capability \`${requires}\`.`] : []),
    ...(actAs === 'self' ? [] : [`Acts for the caller, or for the client named in \`${actAs}\`.`]),
    ...(names
      ? [`When none is named: for the owner of the ${names.a} in \`${names.field}\`.`]
      : []),
  ].join(' ');
}

/** The path's parameters, the query string and the headers. */
function describeParameters(endpoint: Endpoint): object[] {
  const { path, method, request, actAs, idempotent } = endpoint;
  const { properties = {}, required = [] } = inlineSchema(request);
  const beside = queryFieldsOf(endpoint);
  const fields = Object.entries(properties).flatMap<object>(([name, schema]) => {
    if (path.includes(`{${name}}`)) return [{ name, in: 'path', required: true, schema }];
    if (method === 'GET') return [{ name, in: 'query', required: required.includes(name), schema }];
    return Object.hasOwn(beside, name)
      ? [{ name, in: 'query', description: 'Here or in the body.', schema }]
      : [];
  });
  return [
    ...fields,
    ...(actAs === 'self' ? [] : [{ $ref: '#/components/parameters/ActingFor' }]),
    ...(idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

function describeBody(name: string, { request, accepts, path }: Endpoint): object {
  const example = examples[name]?.request;
  const { required = [] } = inlineSchema(request);
  return {
    required: accepts === 'multipart' || required.some((field) => !path.includes(`{${field}}`)),
    content: {
      [accepts === 'multipart' ? 'multipart/form-data' : 'application/json']: {
        schema: { $ref: `#/components/schemas/${requestName(name)}` },
        ...(example ? { example } : {}),
      },
    },
  };
}

function describeAnswer(name: string, { sends, fileTypes = [] }: Endpoint): object {
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
  if (sends === 'events')
    return {
      description:
        'A stream of server-sent events that stays open. The data of each event is one JSON value of this schema; comments keep the connection alive.',
      headers,
      content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/ProgressEvent' } } },
    };
  if (sends === 'file')
    return {
      description: 'The file.',
      headers: { ...headers, 'Content-Disposition': fileName },
      content: Object.fromEntries(fileTypes.map((type) => [type, { schema: fileOf(type) }])),
    };
  const example = examples[name]?.answer;
  return {
    description: 'Done.',
    headers,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${answerName(name)}` },
        ...(example ? { example } : {}),
      },
    },
  };
}

const fileOf = (type: string) =>
  type === 'application/json' ? { type: 'object' } : { type: 'string', format: 'binary' };
const fileName = {
  description: 'The name of the file.',
  schema: { type: 'string' },
  example: 'attachment; filename="cities-answers.csv"; filename*=UTF-8\'\'cities-answers.csv',
};
