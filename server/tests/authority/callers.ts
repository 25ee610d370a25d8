import { type Endpoint, type RefusalBody, roles } from '@rowmill/contract';
import { expect } from 'vitest';
import { assertDescribed } from '../support/openapi.ts';
import type { TestServer } from '../support/test-server.ts';
import type { TestUser } from '../support/users.ts';
import { createUser } from '../support/users.ts';
import type { Belongings } from './call-table.ts';

type Owner = TestUser & Belongings;

/**
 * Two clients without an admin and two admins with a client each. New for every call, because some
 * calls end accounts.
 */
export async function createPeople(server: TestServer, needs?: 'sheet' | 'batch') {
  const x = await createUser(server, { roleId: roles.admin, submissions: 10 });
  const y = await createUser(server, { roleId: roles.admin, submissions: 10 });
  const [a, b] = [
    await createUser(server, { submissions: 10 }),
    await createUser(server, { submissions: 10 }),
  ];
  const c = await createUser(server, { adminId: x.id, submissions: 10 });
  const d = await createUser(server, { adminId: y.id, submissions: 10 });
  const people = { a, b, x, c, y, d };
  const owners = Object.entries(people).map(
    async ([name, person]) => [name, await addBelongings(server, person, needs)] as const,
  );
  return Object.fromEntries(await Promise.all(owners)) as Record<keyof typeof people, Owner>;
}
export type People = Awaited<ReturnType<typeof createPeople>>;

export async function addBelongings(
  server: TestServer,
  person: TestUser,
  needs?: 'sheet' | 'batch',
): Promise<Owner> {
  const none = { ...person, sheet: '', batch: '' };
  if (!needs) return none;
  const sheet = (await server.upload('Prompt\none\ntwo\n', person)).body.file.id;
  if (needs === 'sheet') return { ...none, sheet };
  const { batch } = (await server.ask({ query: { file: sheet, start: true } }, person)).body;
  const id = batch?.id ?? '';
  // A running batch would keep writing rows.
  await expect
    .poll(async () => (await server.call('getBatch', { id }, person)).body.batch.held)
    .toBe(0);
  return { ...none, sheet, batch: id };
}

interface Outcome {
  status: number;
  /** `allowed`: access was granted, whatever the use case answered then. Otherwise the refusal. */
  verdict: string;
  body: string;
}

const accessRefusals = [
  'not_signed_in',
  'verify_email',
  'not_allowed',
  'not_found',
  'suspended',
  'no_longer_yours',
];
/** Not about access. A call that gets one of these was not tested for access. */
const otherRefusals = ['invalid_input', 'invalid_json', 'too_many_requests', 'internal', 'busy'];

/** Sends a request as any API client could: fields in the path, the query, the body or a form. */
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
  const { method } = endpoint;
  const abort = new AbortController();
  const { headers, body: sent } =
    method === 'GET' ? { headers: {}, body: null } : bodyOf(endpoint, rest);
  const response = await fetch(server.app.url + path + (method === 'GET' ? queryOf(rest) : ''), {
    method,
    signal: abort.signal,
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
    body: sent,
  });
  if (endpoint.sends === 'events' && response.ok) {
    abort.abort();
    return { status: 200, verdict: 'allowed', body: '' };
  }
  await assertDescribed(endpoint, response);
  const body = await response.text();
  if (response.ok) return { status: 200, verdict: 'allowed', body };
  const { code } = JSON.parse(body) as RefusalBody;
  const isRefused = accessRefusals.includes(code) || otherRefusals.includes(code);
  return {
    status: response.status,
    verdict: isRefused ? code : 'allowed',
    body: body.replace(/"request_id":"[^"]*"/, '"request_id":""'),
  };
}

function queryOf(request: Record<string, unknown>): string {
  const { switchedAs, ...rest } = request as { switchedAs?: { user_id: string } };
  const query = new URLSearchParams({
    ...(rest as Record<string, string>),
    ...(switchedAs && { switchedAs: switchedAs.user_id }),
  });
  return query.size ? `?${query}` : '';
}

function bodyOf(endpoint: Endpoint, request: Record<string, unknown>) {
  if (endpoint.accepts !== 'multipart')
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) };
  const form = new FormData();
  for (const [key, value] of Object.entries(request))
    form.append(key, typeof value === 'string' ? value : JSON.stringify(value));
  form.append('file', new Blob(['Prompt\none\n']), 'sheet.csv');
  return { headers: {}, body: form };
}

/** Names the subject in the field of the contract for the call, or in `switchedAs`. */
export function withSubject(
  { actAs }: Endpoint,
  subject: { id: string },
  request: object,
): Record<string, unknown> {
  const user = { user_id: subject.id };
  if (actAs === 'creditUser') return { creditUser: user, ...request };
  return actAs === 'user_id' ? { ...user, ...request } : { switchedAs: user, ...request };
}

/** Everything about a person that a call without the right to it must leave unchanged. */
export function accountSnapshot(server: TestServer, { id }: { id: string }) {
  return server.app.ctx.db
    .selectFrom('users')
    .leftJoin('credit_accounts', 'credit_accounts.user_id', 'users.id')
    .select([
      'role_id',
      'admin_id',
      'email_verified_at',
      'suspended_at',
      'password_hash',
      'email',
      'available',
      'reserved',
      'debt',
    ])
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Fields that no body declares, with what a forger would like them to be. */
export const forgedFields = {
  role_id: 3,
  email_verified_at: null,
  admin_id: null,
  credits: 1_000_000,
  creditsAvailable: 1_000_000,
  available: 1_000_000,
  suspended_at: '2020-01-01T00:00:00Z',
  password_hash: 'x',
  status: 'paid',
  payment_status: 'paid',
  price: 0,
  price_minor: 0,
};
