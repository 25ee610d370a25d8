import type { EndpointName, endpoints, RequestOf } from '@rowmill/contract';
import { roles } from '@rowmill/contract';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createUser, password, registration } from '../support/users.ts';

let server: TestServer;
/** Nearly all of the work of these calls. The product computes them as usual. */
let hashes: () => number;
beforeAll(async () => {
  server = await startTestServer();
  const { passwords } = server.app.ctx;
  const spies = [vi.spyOn(passwords, 'hash'), vi.spyOn(passwords, 'isRight')];
  hashes = () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
});

/** Addresses of equal length, because an answer may repeat the address. */
let number = 0;
const addressOf = (kind: 'known' | 'other') =>
  `${kind}-${String(++number).padStart(4, '0')}@example.test`;

/** Each creates a new address that the product knows. */
const known: [string, () => Promise<string>][] = [
  [
    'a verified address',
    async () => {
      const email = addressOf('known');
      const { id } = await createUser(server);
      await server.app.ctx.db.updateTable('users').set({ email }).where('id', '=', id).execute();
      return email;
    },
  ],
  [
    'an address of a suspended account',
    async () => {
      const email = addressOf('known');
      const suspended_at = new Date();
      const { id } = await createUser(server);
      const { db } = server.app.ctx;
      await db.updateTable('users').set({ email, suspended_at }).where('id', '=', id).execute();
      return email;
    },
  ],
  [
    'an unverified address',
    async () => {
      const email = addressOf('known');
      await server.call('registerUser', registration(email));
      return email;
    },
  ],
  [
    'an invited address, which has no password yet',
    async () => {
      const email = addressOf('known');
      const admin = await createUser(server, { roleId: roles.admin });
      await server.call('addClient', { first_name: 'Cleo', last_name: 'Client', email }, admin);
      return email;
    },
  ],
];

type Call = 'login' | 'registerUser' | 'sendResetLinkEmail' | 'resendLink';

const requests: { [N in Call]: (email: string) => RequestOf<(typeof endpoints)[N]> } = {
  login: (email) => ({ email, password: 'not the password' }),
  registerUser: registration,
  sendResetLinkEmail: (email) => ({ email }),
  resendLink: (email) => ({ email }),
};
const calls = Object.keys(requests) as Call[];

/** The visible answer without what differs in every request, and the work that it took. */
async function answerTo(call: Call, email: string) {
  const before = hashes();
  const { status, headers, body } = await server.call(
    call as EndpointName,
    requests[call](email) as never,
  );
  const { request_id, ...rest } = body as Record<string, unknown>;
  const { date, 'x-request-id': id, ...visible } = Object.fromEntries(headers);
  expect(Boolean(request_id)).toBe(status !== 200);
  expect([date, id]).toEqual([expect.any(String), expect.any(String)]);
  return {
    status,
    headers: visible,
    body: JSON.stringify(rest).replaceAll(email, 'ADDRESS'),
    hashes: hashes() - before,
  };
}

describe.each(calls)('%s', (call) => {
  it.each(known)('answers %s like an unknown one', async (_kind, make) => {
    const theirs = await answerTo(call, await make());
    expect(theirs).toEqual(await answerTo(call, addressOf('other')));
    expect(theirs.status).toBe(call === 'login' ? 422 : 200);
    expect(theirs.hashes).toBe(call === 'login' || call === 'registerUser' ? 1 : 0);
  });

  it('limits known and unknown addresses after the same number of requests', async () => {
    const tries = { known: 0, other: 0 };
    const addresses = {
      known: await createUser(server).then(({ email }) => email),
      other: addressOf('other'),
    };
    for (const kind of ['known', 'other'] as const) {
      while ((await answerTo(call, addresses[kind])).status !== 429) tries[kind]++;
    }
    expect(tries.known).toBe(tries.other);
    expect(tries.known).toBeGreaterThan(0);
  });
});

describe('login', () => {
  it('answers a deleted account like an unknown address', async () => {
    const { email, token } = await createUser(server);
    await server.call('deleteUserAccount', { current_password: password }, { token });
    const gone = await answerTo('login', email);
    const other = await answerTo('login', addressOf('other'));
    const { headers: _, ...visible } = other;
    expect(gone).toMatchObject(visible);
  });
});
