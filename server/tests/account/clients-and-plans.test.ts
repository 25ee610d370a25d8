import { roles } from '@rowmill/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeOperator } from '../../src/domains/identity/accounts/registration.ts';
import { grantPlansToOperators } from '../../src/domains/plans/operator-plans.ts';
import { activatePlan } from '../../src/domains/plans/subscriptions.ts';
import { rateLimits } from '../../src/domains/requests/rate-limits.ts';
import { after, day } from '../../src/lib/clock.ts';
import { formatDay } from '../../src/texts/dates.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser, newEmail, password, registration, signIn } from '../support/users.ts';
import { retryWhileBusy } from '../support/waiting.ts';

const server = await startTestServer();

const adminWith = (submissions: number) => createUser(server, { roleId: roles.admin, submissions });

describe('an admin', () => {
  it('invites a client with some submissions, who sets a password by email link', async () => {
    const admin = await adminWith(100);
    const email = newEmail();
    const invited = await server.call(
      'addClient',
      { first_name: 'Cleo', last_name: 'Client', email, credits: 40 },
      admin,
    );
    expect(invited.body.client).toMatchObject({ email, creditsAvailable: 40, accepted: false });
    expect(await server.balance(admin)).toBe(60);
    expect((await server.call('userList', {}, admin)).body.can_give).toBe(60);
    const token = await server.tokenSentTo(email, 'invites you');
    expect((await server.call('openEmailLink', { hash: token })).body).toMatchObject({
      purpose: 'invitation',
      data: { email, invited_by: 'Pat Person' },
    });
    expect((await server.call('resetPassword', { token, password })).status).toBe(200);
    expect(await server.balance({ token: await signIn(server, email) })).toBe(40);
    const emails = await sql<{ kind: string }>`
      select data->>'kind' as kind from jobs.job where data->>'email' = ${email}`.execute(
      server.app.ctx.db,
    );
    // None says that their password was changed: it is their first one.
    expect(emails.rows).toEqual([{ kind: 'invitation' }]);
    expect((await server.call('userList', {}, admin)).body).toMatchObject({
      total: 1,
      users: [{ email, accepted: true, creditsAvailable: 40 }],
    });
  });

  it('cannot put a link or an address into our emails, nor can a person who registers', async () => {
    const hostile = 'http://evil.test/login - your account is locked, sign in there';
    const admin = await adminWith(10);
    await server.app.ctx.db
      .updateTable('users')
      .set({ first_name: hostile, last_name: 'me@evil.test' })
      .where('id', '=', admin.id)
      .execute();
    const [invited, registering] = [newEmail(), newEmail()];
    const names = { first_name: hostile, last_name: hostile };
    const sent = [
      await server.call('addClient', { ...names, email: invited }, admin),
      await server.call('registerUser', { ...names, email: registering, password }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([200, 200]);
    for (const email of [
      await server.emailTo(invited, 'invites you'),
      await server.emailTo(registering, 'verify your email address'),
    ])
      for (const content of [email.text, email.html]) {
        expect(content).not.toMatch(/evil\.test|evil&|@evil|sign in there/);
        expect(content).toContain('http evil test login');
      }
  });

  it('sends the invitation again to an invited person who registers or asks for a link', async () => {
    const admin = await createUser(server, { roleId: roles.admin });
    const email = newEmail();
    await server.call('addClient', { first_name: 'Cleo', last_name: 'Client', email }, admin);
    const asks = [
      () => server.call('registerUser', registration(email)),
      () => server.call('resendLink', { email }),
      () => server.call('sendResetLinkEmail', { email }),
    ];
    for (const ask of asks) {
      const before = await server.tokenSentTo(email, 'Pat Person invites you');
      expect((await ask()).status).toBe(200);
      await expect.poll(() => server.tokenSentTo(email, 'Pat Person invites you')).not.toBe(before);
    }
  });

  it('corrects the address of an invitation until it is accepted', async () => {
    const admin = await adminWith(10);
    const [wrong, right] = [newEmail(), newEmail()];
    const names = { first_name: 'Cleo', last_name: 'Client' };
    const invited = await server.call('addClient', { ...names, email: wrong, credits: 5 }, admin);
    const user_id = invited.body.client.id;
    const old = await server.tokenSentTo(wrong, 'invites you');
    const invite = (email: string) =>
      server.call('passwordResetByAdmin', { user_id, email }, admin);
    const { email: taken } = await createUser(server);
    expect((await invite(taken)).body).toMatchObject({ code: 'address_unavailable' });
    expect((await invite(right)).body.message).toBe(`${right} is invited.`);
    expect((await server.call('resetPassword', { token: old, password })).status).not.toBe(200);
    const token = await server.tokenSentTo(right, 'invites you');
    expect((await server.call('resetPassword', { token, password })).status).toBe(200);
    expect(await server.balance({ token: await signIn(server, right) })).toBe(5);
    expect((await invite(wrong)).body).toMatchObject({ code: 'not_now' });
    // A screen from before the client accepted must not sign them out.
    expect((await invite(right)).body).toMatchObject({ code: 'not_now' });
    const again = await server.call('addClient', { ...names, email: right }, admin);
    expect(again.body.message).toBe(`${right} is your client already.`);
    const foreign = await server.call('addClient', { ...names, email: taken }, admin);
    expect(foreign.body.message).toContain('may already have an account');
  });

  it('withdraws an invitation with all that was made for it, until it is accepted', async () => {
    const [admin, other] = [await adminWith(10), await adminWith(0)];
    const [stranger, client] = [newEmail(), newEmail()];
    const names = { first_name: 'Cleo', last_name: 'Client' };
    const invite = async (email: string) =>
      (await server.call('addClient', { ...names, email, credits: 5 }, admin)).body.client.id;
    const withdraw = (user_id: string, by = admin) =>
      server.call('withdrawInvitation', { user_id }, by);
    const user_id = await invite(stranger);
    const token = await server.tokenSentTo(stranger, 'invites you');
    const fields = { switchedAs: JSON.stringify({ user_id }) };
    const file = (await server.upload('Text\none\n', { ...admin, fields })).body.file.id;
    const asked = { switchedAs: { user_id }, question: 'What is a bonnag?', query: {} };
    expect((await server.ask(asked, admin)).status).toBe(200);
    expect(await withdraw(user_id, other)).toMatchObject({ status: 404 });
    const both = await Promise.all([withdraw(user_id), withdraw(user_id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect(await server.balance(admin)).toBe(9);
    expect((await server.call('userList', {}, admin)).body.total).toBe(0);
    expect((await server.call('resetPassword', { token, password })).status).not.toBe(200);
    const acting = { creditUser: user_id };
    const { body } = await server.call('getAvailableCredits', acting, admin);
    expect(body.code).toBe('no_longer_yours');
    const sheets = server.app.ctx.db.selectFrom('sheets').select(['name', 'deleted_at']);
    const sheet = await sheets.where('id', '=', file).executeTakeFirstOrThrow();
    expect(sheet).toEqual({ name: '', deleted_at: expect.any(Date) });

    // The address is free again.
    expect((await withdraw(await invite(stranger))).status).toBe(200);
    const accepted = await invite(client);
    const link = await server.tokenSentTo(client, 'invites you');
    expect((await server.call('resetPassword', { token: link, password })).status).toBe(200);
    expect((await withdraw(accepted)).body).toMatchObject({ code: 'not_now' });
    expect(await server.balance({ token: await signIn(server, client) })).toBe(5);
  });

  it('cannot use up the emails to a client of another admin', async () => {
    const [admin, other] = [await adminWith(0), await adminWith(0)];
    const client = await createUser(server, { adminId: admin.id });
    const names = { first_name: 'Cleo', last_name: 'Client' };
    const invited = await server.call('addClient', { ...names, email: newEmail() }, other);
    const moved = { user_id: invited.body.client.id, email: client.email };
    for (let attempt = 0; attempt < rateLimits.emailPerAddress.attempts; attempt++)
      expect((await server.call('passwordResetByAdmin', moved, other)).status).not.toBe(200);
    const reset = await server.call('passwordResetByAdmin', { user_id: client.id }, admin);
    expect(reset.status).toBe(200);
  });

  it('can invite a client on a free plan, but not on a paid one', async () => {
    const admin = await adminWith(10);
    const { plans } = (await server.call('getPlans', {})).body as {
      plans: { id: string; name: string; price_minor: number }[];
    };
    const [free, paid] = [
      plans.find((plan) => plan.price_minor === 0),
      plans.find((plan) => plan.price_minor > 0),
    ];
    const person = { first_name: 'Cleo', last_name: 'Client', email: newEmail() };
    const refused = await server.call('addClient', { ...person, plan: paid?.id }, admin);
    expect([refused.status, refused.body.code]).toEqual([402, 'not_paid']);
    expect((await server.call('userList', {}, admin)).body.total).toBe(0);
    const { client } = (
      await server.call('addClient', { ...person, plan: free?.id, credits: 3 }, admin)
    ).body;
    expect(client).toMatchObject({ plan: free?.name });
    expect(
      (await server.call('getAvailableCredits', { creditUser: { user_id: client.id } }, admin)).body
        .creditsAvailable,
    ).toBe(client.creditsAvailable);
    expect(client.creditsAvailable).toBeGreaterThan(3);
  });

  it('starts the free plan of at most 20 clients a day, also when acting for them', async () => {
    const admin = await adminWith(0);
    const invite = (plan?: string) =>
      server.call(
        'addClient',
        { first_name: 'Cleo', last_name: 'Client', email: newEmail(), plan },
        admin,
      );
    for (let invited = 1; invited < 20; invited++) expect((await invite('free')).status).toBe(200);
    const [last, beyond] = [(await invite()).body.client, (await invite()).body.client];
    const start = ({ id }: { id: string }) =>
      server.call('setPlan', { id: 'free' }, { ...admin, headers: { 'acting-for': id } });
    expect((await start(last)).status).toBe(200);
    expect((await start(beyond)).status).toBe(429);
    const refused = await invite('free');
    expect(refused.body.message).toContain('without a plan');
    expect((await invite()).status).toBe(200);
  });

  it('cannot invite with too small a balance, and nothing is left behind', async () => {
    const admin = await adminWith(10);
    const email = newEmail();
    const refused = await server.call(
      'addClient',
      { first_name: 'Cleo', last_name: 'Client', email, credits: 11 },
      admin,
    );
    expect(refused.body.code).toBe('insufficient_credits');
    expect(await server.balance(admin)).toBe(10);
    expect((await server.call('userList', {}, admin)).body.total).toBe(0);
  });

  it('invites once per idempotency key when five requests arrive together', async () => {
    const admin = await adminWith(100);
    const request = { first_name: 'Cleo', last_name: 'Client', email: newEmail(), credits: 10 };
    const asked = { ...admin, headers: { 'idempotency-key': 'once' } };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        retryWhileBusy(() => server.call('addClient', request, asked)),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.client?.id)).size).toBe(1);
    expect(await server.balance(admin)).toBe(90);
    const other = await server.call('addClient', { ...request, credits: 20 }, asked);
    expect(other.body.code).toBe('idempotency_mismatch');
  });
});

describe('a plan', () => {
  it('that is free starts at once and grants its submissions once', async () => {
    const client = await createUser(server);
    expect((await server.call('getUserPlan', { user_id: client.id }, client)).body).toMatchObject({
      status: false,
      plan: null,
      billing_address: {},
      message: expect.stringMatching(/./),
    });
    const { plans } = (await server.call('getPlans', {})).body;
    const free = plans.find((plan) => plan.price_minor === 0);
    for (let time = 0; time < 2; time++)
      expect((await server.call('setPlan', { id: free?.id ?? '' }, client)).status).toBe(200);
    expect(await server.balance(client)).toBe(free?.submissions);
    expect((await server.call('getUserPlan', {}, client)).body).toMatchObject({
      status: true,
      plan: { id: free?.id, user_id: client.id },
    });
    const { entries } = (await server.call('getActivity', {}, client)).body;
    expect(entries[0]?.what).toBe(`chose the plan “${free?.name}”`);
  });

  it('that is paid cannot be changed for a free one, and the refusal names the day on which the last one ends', async () => {
    const client = await createUser(server);
    const { ctx } = server.app;
    const plan = { id: 'month', period_days: 30, submissions: 0 };
    await activatePlan(ctx, { actorId: client.id, subjectId: client.id, plan });
    const { body } = await server.call('setPlan', { id: 'free' }, client);
    const lastDay = formatDay(after(ctx.clock.now(), 30 * day));
    expect(body).toMatchObject({
      code: 'not_now',
      message: `The Month plan runs until ${lastDay}. You can switch to a free plan then.`,
    });
    expect(lastDay).toMatch(/^\d{1,2} [A-Z][a-z]+ \d{4}$/);
    await activatePlan(ctx, { actorId: client.id, subjectId: client.id, plan });
    const [first] = await ctx.db
      .updateTable('user_plans')
      .set({ ends_at: after(ctx.clock.now(), day) })
      .where('user_id', '=', client.id)
      .where('id', '=', (eb) =>
        eb
          .selectFrom('user_plans')
          .select((inner) => inner.fn.min('id').as('id'))
          .where('user_id', '=', client.id),
      )
      .returning('id')
      .execute();
    expect(first).toBeDefined();
    const again = await server.call('setPlan', { id: 'free' }, client);
    expect(again.body.message).toContain(`until ${lastDay}.`);
  });

  it('that costs money does not start without a payment', async () => {
    const client = await createUser(server);
    expect((await server.call('setPlan', { id: 'year' }, client)).body.code).toBe('not_paid');
    expect((await server.call('setPlan', { id: 'none such' } as never, client)).status).toBe(404);
  });
});

describe('the first operator', () => {
  it('is created by a command on an empty installation', async () => {
    const fresh = await startTestServer();
    expect(await fresh.app.ctx.db.selectFrom('users').selectAll().execute()).toEqual([]);
    const email = newEmail();
    const token = await makeOperator(fresh.app.ctx, email);
    await fresh.call('resetPassword', { token, password });
    const { user, user_token: bearer } = (await fresh.call('login', { email, password })).body;
    expect(user.role_id).toBe(roles.operator);
    // The command and every start give an operator a plan, once and without submissions.
    for (let time = 0; time < 2; time++) await grantPlansToOperators(fresh.app.ctx);
    const { body } = await fresh.call('getUserPlan', {}, { token: bearer });
    expect(body).toMatchObject({ status: true, plan: { id: 'free', user_id: user.id } });
    const plans = await fresh.app.ctx.db.selectFrom('user_plans').selectAll().execute();
    expect(plans).toHaveLength(1);
    expect(await fresh.app.ctx.db.selectFrom('credit_entries').selectAll().execute()).toEqual([]);
  });

  it('is let in when the account was suspended before', async () => {
    const { id, email } = await createUser(server);
    await server.app.ctx.db
      .updateTable('users')
      .set({ suspended_at: new Date() })
      .where('id', '=', id)
      .execute();
    const token = await makeOperator(server.app.ctx, email);
    await server.call('resetPassword', { token, password });
    expect((await server.call('login', { email, password })).status).toBe(200);
  });
});
