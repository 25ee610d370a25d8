import { roles } from '@rowmill/contract';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { makeOperator } from '../../src/domains/identity/accounts/registration.ts';
import { isPostgres } from '../support/databases.ts';
import { whenBlocked } from '../support/statements.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser, password, registration, type TestUser } from '../support/users.ts';

const server = await startTestServer();
const operator = await createUser(server, { roleId: roles.operator });

describe.runIf(isPostgres)('an admin who loses a client during a call', () => {
  it.each([
    ['updateCreditCount', { change: 5, reason: 'Thanks' }],
    ['passwordResetByAdmin', {}],
    ['withdrawInvitation', {}],
    ['setClientLimits', { monthly_limit: 100 }],
  ] as const)(
    'changes nothing with %s, and is told that there is no such client',
    async (...of) => {
      const [call, more] = of;
      const admin = await createUser(server, { roleId: roles.admin, submissions: 10 });
      const client = await createUser(server, { adminId: admin.id });
      const move = new pg.Client({ connectionString: server.settings.DATABASE_OWNER_URL });
      await move.connect();
      await move.query('begin');
      await move.query('update users set admin_id = null where id = $1', [client.id]);
      const answer = server.call(call, { user_id: client.id, ...more }, admin);
      await Promise.race([answer, whenBlocked(server.app.ctx)]);
      await move.query('commit');
      await move.end();
      expect(await answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
      const balance = await server.call('getAvailableCredits', {}, admin);
      expect(balance.body.creditsAvailable).toBe(10);
    },
  );
});

describe('an admin whose client', () => {
  it.each<[string, (client: TestUser) => Promise<unknown>]>([
    [
      'deletes the account',
      (client) => server.call('deleteUserAccount', { current_password: password }, client),
    ],
    ['is made an operator', ({ email }) => makeOperator(server.app.ctx, email)],
  ])('%s is told that the client is no longer theirs', async (_, leave) => {
    const admin = await createUser(server, { roleId: roles.admin });
    const client = await createUser(server, { adminId: admin.id });
    await leave(client);
    const acting = { creditUser: client.id };
    const { body } = await server.call('getAvailableCredits', acting, admin);
    expect(body.code).toBe('no_longer_yours');
  });
});

describe('an admin who becomes a client', () => {
  it('has no clients, also when some are invited or moved at that moment', async () => {
    for (let round = 0; round < 8; round++) {
      const admin = await createUser(server, { roleId: roles.admin });
      const moved = await createUser(server);
      const reason = 'Left the agency';
      const answers = await Promise.all([
        server.call('addClient', registration(`invited-${round}@example.test`), admin),
        server.call('setRole', { user_id: admin.id, role_id: roles.client, reason }, operator),
        server.call('moveClient', { user_id: moved.id, admin_id: admin.id, reason }, operator),
      ]);
      expect(answers[1].status).toBe(200);
      const clients = server.app.ctx.db.selectFrom('users').select('email');
      expect(await clients.where('admin_id', '=', admin.id).execute()).toEqual([]);
    }
  });
});
