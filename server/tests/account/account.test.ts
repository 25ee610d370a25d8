import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { whenBlocked } from '../support/statements.ts';
import { startTestServer } from '../support/test-server.ts';
import { createUser, newEmail, password, registration, signIn } from '../support/users.ts';

const server = await startTestServer();

const verifySubject = 'verify your email address';
const resetSubject = 'Set a new password';
const finishSubject = 'Finish your registration';
const otherPassword = 'quiet lantern 82 meadow';

/** Another connection to the database. */
async function connectAsOwner(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.settings.DATABASE_OWNER_URL });
  await client.connect();
  return client;
}

const changePassword = (token: string, to: string, from = password) =>
  server.call('changePassword', { current_password: from, password: to }, { token });

describe('a new user', () => {
  it('registers, verifies the address, signs in and signs out', async () => {
    const email = newEmail();
    expect((await server.call('registerUser', registration(email))).status).toBe(200);
    const token = await server.tokenSentTo(email, verifySubject);
    expect((await server.call('verifyLink', { token })).body).toMatchObject({
      status: true,
      email,
    });
    const signedInAs = await server.call('login', { email, password });
    expect(Object.keys(signedInAs.body.user).sort()).toEqual(
      [
        'email',
        'email_verified_at',
        'first_name',
        'id',
        'last_name',
        'phone',
        'profile_photo',
        'role_id',
      ].sort(),
    );
    const session = { token: signedInAs.body.user_token };
    expect((await server.call('fetchUserDetail', {}, session)).body.sessions).toHaveLength(1);
    expect((await server.call('logout', {}, session)).body.message).toBe('You are signed out.');
    expect((await server.call('fetchUserDetail', {}, session)).status).toBe(401);
  });

  it('is signed in by the link when the page asks for it, once', async () => {
    const email = newEmail();
    await server.call('registerUser', registration(email));
    const token = await server.tokenSentTo(email, verifySubject);
    const { body } = await server.call('verifyLink', { token, sign_in: true });
    expect(body.session?.user.email).toBe(email);
    const session = { token: body.session?.user_token ?? '' };
    expect((await server.call('fetchUserDetail', {}, session)).body.sessions).toHaveLength(1);
    expect((await server.call('getUserPlan', {}, session)).body.had_plan).toBe(false);
    const again = await server.call('verifyLink', { token, sign_in: true });
    expect(again.body).toMatchObject({ code: 'already_verified' });
    expect(again.body.session).toBeUndefined();
  });

  it('is not signed in by the link while suspended', async () => {
    const email = newEmail();
    await server.call('registerUser', registration(email));
    const token = await server.tokenSentTo(email, verifySubject);
    await server.app.ctx.db
      .updateTable('users')
      .set({ suspended_at: new Date() })
      .where('email', '=', email)
      .execute();
    const { body } = await server.call('verifyLink', { token, sign_in: true });
    expect(body).toMatchObject({ email, session: null });
  });

  it('can only verify the address until it is verified', async () => {
    const email = newEmail();
    await server.call('registerUser', registration(email));
    const token = await signIn(server, email);
    expect((await server.call('getUserPlan', {}, { token })).body.code).toBe('verify_email');
    expect((await changePassword(token, otherPassword)).status).toBe(403);
    expect((await server.call('fetchUserDetail', {}, { token })).status).toBe(200);
    expect((await server.call('resendLink', {}, { token })).status).toBe(200);
  });

  it('chooses the password by an emailed link when the address was registered before', async () => {
    const email = newEmail();
    await server.call('registerUser', registration(email));
    const first = await server.tokenSentTo(email, verifySubject);
    const stranger = { token: await signIn(server, email) };
    await server.call('registerUser', { ...registration(email), password: otherPassword });
    const second = await server.tokenSentTo(email, finishSubject);
    expect((await server.call('verifyLink', { token: first })).body.code).toBe('link_invalid');
    await server.call('resendLink', {}, stranger);
    await expect.poll(() => server.tokenSentTo(email, finishSubject)).not.toBe(second);
    const token = await server.tokenSentTo(email, finishSubject);
    expect((await server.call('resetPassword', { token, password: otherPassword })).status).toBe(
      200,
    );
    expect((await server.call('fetchUserDetail', {}, stranger)).status).toBe(401);
    expect((await server.call('login', { email, password })).body.code).toBe('wrong_credentials');
    const { body } = await server.call('login', { email, password: otherPassword });
    expect(body.user.email_verified_at).not.toBeNull();
  });

  it('learns in the inbox alone that the address is registered already', async () => {
    const { email } = await createUser(server);
    await server.call('registerUser', registration(email));
    expect((await server.emailTo(email, 'already have an account')).text).toContain(
      'Nothing has changed',
    );
  });
});

describe('a link', () => {
  it('expires after 24 hours for verification and 30 minutes for a reset', async () => {
    const late = await startTestServer();
    const email = newEmail();
    await late.call('registerUser', registration(email));
    const verify = await late.tokenSentTo(email, verifySubject);
    await late.call('sendResetLinkEmail', { email });
    const reset = await late.tokenSentTo(email, resetSubject);
    late.clock.advance(30 * 60_000 + 1000);
    expect(
      (await late.call('resetPassword', { token: reset, password: otherPassword })).body.code,
    ).toBe('link_expired');
    late.clock.advance(24 * 3_600_000);
    expect((await late.call('verifyLink', { token: verify })).body.code).toBe('link_expired');
  });
});

describe('a password', () => {
  it('can be changed with the current one, which ends all other sessions', async () => {
    const { email, token } = await createUser(server);
    const elsewhere = await signIn(server, email);
    const wrong = await changePassword(token, otherPassword, 'not it at all');
    expect(wrong.body).toMatchObject({
      code: 'wrong_credentials',
      fields: { current_password: expect.any(String) },
    });
    const same = await changePassword(token, password);
    expect(same.status).toBe(422);
    expect(same.body.fields).toEqual({
      password: 'This is your current password. Choose another.',
    });
    expect((await server.call('fetchUserDetail', {}, { token: elsewhere })).status).toBe(200);
    expect((await changePassword(token, otherPassword)).status).toBe(200);
    expect((await server.call('fetchUserDetail', {}, { token })).status).toBe(200);
    expect((await server.call('fetchUserDetail', {}, { token: elsewhere })).status).toBe(401);
    expect((await server.emailTo(email, 'Your password was changed')).text).toContain(
      'other devices are signed out',
    );
  });
});

describe('a session', () => {
  it('can be ended from another device: one, or all others', async () => {
    const { email, token } = await createUser(server);
    const others = await Promise.all([signIn(server, email), signIn(server, email)]);
    const { sessions } = (await server.call('fetchUserDetail', {}, { token })).body;
    const one = sessions.find((session) => !session.current);
    expect(
      (await server.call('revokeSession', { session_id: one?.id ?? '' }, { token })).body.sessions,
    ).toHaveLength(2);
    expect((await server.call('revokeSession', {}, { token })).body.sessions).toHaveLength(1);
    for (const other of others)
      expect((await server.call('fetchUserDetail', {}, { token: other })).status).toBe(401);
  });
});

describe('a profile', () => {
  const photo = `data:image/png;base64,${Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]).toString('base64')}`;

  it('stores names, phone, picture and billing address', async () => {
    const { token } = await createUser(server);
    const changes = { first_name: 'Zoë', phone: '+44 1624 000000', profile_photo: photo };
    expect(
      (await server.call('verifyAndUpdateUserDetails', changes, { token })).body.user,
    ).toMatchObject(changes);
    const fake = photo.replace('image/png', 'image/webp');
    expect(
      (await server.call('verifyAndUpdateUserDetails', { profile_photo: fake }, { token })).status,
    ).toBe(422);
    const billing_address = { line1: '1 Mill Lane', city: 'Douglas', country: 'IM' };
    await server.call('userBillingAddress', { billing_address }, { token });
    expect((await server.call('userBillingAddress', {}, { token })).body.billing_address).toEqual(
      billing_address,
    );
  });

  it('changes its email address with the password, once the new address is verified', async () => {
    const { email, token } = await createUser(server);
    const next = newEmail();
    expect(
      (await server.call('verifyAndUpdateUserDetails', { email: next }, { token })).body.fields,
    ).toHaveProperty('current_password');
    const asked = await server.call(
      'verifyAndUpdateUserDetails',
      { email: next, current_password: password },
      { token },
    );
    expect(asked.body).toMatchObject({ pending_email: next, user: { email } });
    const link = await server.tokenSentTo(next, 'new email address');
    expect((await server.call('verifyLink', { token: link, sign_in: true })).body).toMatchObject({
      email: next,
      session: null,
    });
    expect((await server.call('login', { email: next, password })).status).toBe(200);
    expect((await server.emailTo(email, 'address was changed')).text).toContain(
      'another email address',
    );
  });

  it('keeps a pending address cancelled when a name changes meanwhile', async () => {
    const user = await createUser(server);
    const change = { email: newEmail(), current_password: password };
    await server.call('verifyAndUpdateUserDetails', change, user);
    const cancel = await connectAsOwner();
    await cancel.query('begin');
    await cancel.query('update users set pending_email = null where id = $1', [user.id]);
    const renamed = server.call('verifyAndUpdateUserDetails', { first_name: 'Zoë' }, user);
    await whenBlocked(server.app.ctx);
    await cancel.query('commit');
    await cancel.end();
    expect((await renamed).body).toMatchObject({
      user: { first_name: 'Zoë' },
      pending_email: null,
    });
  });

  it('is told that a link is invalid when it is deleted in the same moment', async () => {
    const user = await createUser(server);
    await server.call('sendResetLinkEmail', { email: user.email });
    const token = await server.tokenSentTo(user.email, resetSubject);
    const other = await connectAsOwner();
    await other.query('begin');
    await other.query('select from users where id = $1 for no key update', [user.id]);
    const reset = server.call('resetPassword', { token, password: otherPassword });
    await whenBlocked(server.app.ctx);
    await other.query('delete from email_links where user_id = $1', [user.id]);
    await other.query('commit');
    await other.end();
    expect((await reset).body.code).toBe('link_invalid');
  });

  it('can be exported and deleted', async () => {
    const { email, token } = await createUser(server);
    const exported = await server.call('exportUserData', {}, { token });
    expect(exported.headers.get('content-disposition')).toContain('attachment');
    expect(exported.body).toMatchObject({ users: [{ email }] });
    expect(
      (await server.call('deleteUserAccount', { current_password: 'wrong one' }, { token })).body
        .code,
    ).toBe('wrong_credentials');
    expect(
      (await server.call('deleteUserAccount', { current_password: password }, { token })).status,
    ).toBe(200);
    expect((await server.call('fetchUserDetail', {}, { token })).status).toBe(401);
    expect((await server.call('login', { email, password })).body.code).toBe('wrong_credentials');
    await server.emailTo(email, 'is deleted');
  });
});
