import { type Endpoint, type RefusalBody, roles } from '@rowmill/contract';
import { expect } from 'vitest';
import { assertDeclared, type TestServer } from '../support/test-server.ts';
import type { TestUser } from '../support/users.ts';
import { createUser } from '../support/users.ts';
import type { Belongings } from './call-table.ts';

type Owner = TestUser & Belongings;

/** Two clients of nobody, two admins with a client each; new for every call, for some calls end somebody. */
export async function makeCast(server: TestServer, needs?: 'sheet' | 'batch') {
  const x = await createUser(server, { roleId: roles.admin, submissions: 10 });
  const y = await createUser(server, { roleId: roles.admin, submissions: 10 });
  const [a, b] = [
    await createUser(server, { submissions: 10 }),
    await createUser(server, { submissions: 10 }),
  ];
  const c = await createUser(server, { adminId: x.id, submissions: 10 });
  const d = await createUser(server, { adminId: y.id, submissions: 10 });
  const cast = { a, b, x, c, y, d };
  const owners = Object.entries(cast).map(
    async ([name, person]) => [name, await endow(server, person, needs)] as const,
  );
  return Object.fromEntries(await Promise.all(owners)) as Record<keyof typeof cast, Owner>;
}
export type Cast = Awaited<ReturnType<typeof makeCast>>;

export async function endow(
  server: TestServer,
  person: TestUser,
  needs?: 'sheet' | 'batch',
): Promise<Owner> {
  const none = { ...person, sheet: '', batch: '' };
  if (!needs) return none;
  const sheet = (await server.upload('Prompt\none\ntwo\n', person)).body.file.id;
  if (needs === 'sheet') return { ...none, sheet };
  const { batch } = (
    await server.call('askChatGpt', { query: { file: sheet, start: true } }, person)
  ).body;
  const id = batch?.id ?? '';
  // What still runs would leave traces of its own.
  await expect
    .poll(async () => (await server.call('getBatch', { id }, person)).body.batch.held, {
      timeout: 60_000,
    })
    .toBe(0);
  return { ...none, sheet, batch: id };
}

interface Outcome {
  status: number;
  /** `in`: the door and the question of whose it is were passed, whatever the use case said then. */
  verdict: string;
  body: string;
}

const doorCodes = [
  'not_signed_in',
  'verify_email',
  'not_allowed',
  'not_found',
  'suspended',
  'no_longer_yours',
];
/** None of these is an answer to who asks and about whom: a cell that shows one is wrong. */
const noAnswers = ['invalid_input', 'invalid_json', 'too_many_requests', 'internal', 'busy'];

/** Sends a request as any client of the interface could: fields into the path, the address or the body, or as multipart. */
export async function send(
  server: TestServer,
  endpoint: Endpoint,
  request: Record<string, unknown>,
  token?: string,
): Promise<Outcome> {
  const rest = { ...request };
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key) => {
    const value = encodeURIComponent(String(rest[key]));
    delete rest[key];
    return value;
  });
  const end = new AbortController();
  const init: RequestInit = {
    method: endpoint.method,
    signal: end.signal,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  };
  const response = await fetch(
    server.app.url + path + (endpoint.method === 'GET' ? inAddress(rest) : ''),
    {
      ...init,
      ...(endpoint.method === 'GET'
        ? {}
        : bodyOf(endpoint, rest, init.headers as Record<string, string>)),
    },
  );
  if (endpoint.sends === 'events' && response.ok) {
    end.abort();
    return { status: 200, verdict: 'in', body: '' };
  }
  await assertDeclared(endpoint, response);
  const body = await response.text();
  if (response.ok) return { status: 200, verdict: 'in', body };
  const { code } = JSON.parse(body) as RefusalBody;
  const isAnswer = doorCodes.includes(code) || noAnswers.includes(code);
  return {
    status: response.status,
    verdict: isAnswer ? code : 'in',
    body: body.replace(/"request_id":"[^"]*"/, '"request_id":""'),
  };
}

function inAddress(request: Record<string, unknown>): string {
  const { switchedAs, ...rest } = request as { switchedAs?: { user_id: string } };
  const query = new URLSearchParams({
    ...(rest as Record<string, string>),
    ...(switchedAs && { switchedAs: switchedAs.user_id }),
  });
  return query.size ? `?${query}` : '';
}

function bodyOf(
  endpoint: Endpoint,
  request: Record<string, unknown>,
  headers: Record<string, string>,
): RequestInit {
  if (endpoint.accepts !== 'multipart')
    return {
      body: JSON.stringify(request),
      headers: { ...headers, 'content-type': 'application/json' },
    };
  const form = new FormData();
  for (const [key, value] of Object.entries(request))
    form.append(key, typeof value === 'string' ? value : JSON.stringify(value));
  form.append('file', new Blob(['Prompt\none\n']), 'sheet.csv');
  return { body: form };
}

/** Asks for a subject in the way that the contract gives for the call; where it gives none, the question is there all the same. */
export function askingFor(
  { actAs }: Endpoint,
  subject: { id: string },
  request: object,
): Record<string, unknown> {
  const whom = { user_id: subject.id };
  if (actAs === 'creditUser') return { creditUser: whom, ...request };
  return actAs === 'user_id' ? { ...whom, ...request } : { switchedAs: whom, ...request };
}
