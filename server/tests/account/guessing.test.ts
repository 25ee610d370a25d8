import { createHook } from 'node:async_hooks';
import { dictionary } from '@zxcvbn-ts/language-common';
import { request } from 'undici';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Argon2Passwords } from '../../src/adapters/argon2-passwords.ts';
import { refuseWeakPassword } from '../../src/domains/identity/passwords/policy.ts';
import type { PasswordHasher } from '../../src/domains/identity/port.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createUser, newEmail, password, registration } from '../support/users.ts';
import { retryWhileBusy } from '../support/waiting.ts';

const second = 1_000;
const hour = 3_600 * second;
const verifySubject = 'verify your email address';
const resetSubject = 'Set a new password';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
// All come from one address, and each test finds it unused.
beforeEach(() => server.clock.advance(hour));

const someone = { email: 'someone@example.test', first_name: 'Sam', last_name: 'Jones' };

const attempt = (server: TestServer, email: string, headers: Record<string, string> = {}) =>
  server.call('login', { email, password: 'not the password' }, { headers });

/** How many of so many wrong passwords were looked at, one after the other. */
async function countTries(
  server: TestServer,
  email: string,
  headersOf: (n: number) => Record<string, string>,
  most = 15,
) {
  let tries = 0;
  for (let n = 0; n < most; n++)
    tries += Number((await attempt(server, email, headersOf(n))).status === 422);
  return tries;
}

describe('who guesses a password', () => {
  it('has ten tries, then the right one does not help either, and then the door opens by itself', async () => {
    const { email } = await createUser(server);
    expect(await countTries(server, email, () => ({}))).toBe(10);
    const locked = await server.call('login', { email, password });
    expect(locked.body.code).toBe('too_many_requests');
    const wait = Number(locked.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    // Trying on does not lengthen the wait.
    server.clock.advance((wait - 1) * second);
    await attempt(server, email);
    server.clock.advance(second);
    expect((await server.call('login', { email, password })).status).toBe(200);
  });

  it('has not one more by trying at the same moment', async () => {
    const { email } = await createUser(server);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => retryWhileBusy(() => attempt(server, email))),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it.each(['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'forwarded'])(
    'has not one more by changing %s, which nobody may set',
    async (name) => {
      const { email } = await createUser(server);
      const addressOf = (n: number) => (name === 'forwarded' ? `for=10.1.0.${n}` : `10.1.0.${n}`);
      expect(await countTries(server, email, (n) => ({ [name]: addressOf(n) }))).toBe(10);
    },
  );

  it('has not one more by writing the address in another way', async () => {
    const { email } = await createUser(server);
    const spellings = [email, email.toUpperCase(), ` ${email} `, email.replace('p', 'P')];
    const answers = await Promise.all(
      spellings.flatMap((each) => Array.from({ length: 4 }, () => attempt(server, each))),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
  });

  it('has ten tries for the present password of a session that is not his, too', async () => {
    const { token } = await createUser(server);
    const change = { current_password: 'not the password', password: 'quiet lantern 82 meadow' };
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => server.call('changePassword', change, { token })),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
  });
});

describe('who guesses over many accounts', () => {
  it('has a hundred tries in an hour from one address', async () => {
    let tries = 0;
    while ((await attempt(server, newEmail())).status === 422) tries++;
    expect(tries).toBe(100);
    server.clock.advance(hour);
    expect((await attempt(server, newEmail())).status).toBe(422);
  });
});

describe('behind a proxy that is trusted', () => {
  let proxied: TestServer;
  beforeAll(async () => {
    proxied = await startTestServer({ TRUSTED_PROXIES: '127.0.0.1' });
  });

  it('the address that the proxy saw counts, whatever the client has written before it', async () => {
    const { email } = await createUser(proxied);
    const chain = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}, 203.0.113.7` });
    expect(await countTries(proxied, email, chain)).toBe(10);
    expect(
      await countTries(proxied, email, (n) => ({
        'x-forwarded-for': `127.0.0.1, 10.0.0.${n}, 203.0.113.7`,
      })),
    ).toBe(0);
  });

  it('whoever guesses locks nobody out who comes from elsewhere', async () => {
    const { email } = await createUser(proxied);
    await countTries(proxied, email, () => ({ 'x-forwarded-for': '203.0.113.8' }));
    const owner = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    expect((await proxied.call('login', { email, password }, owner)).status).toBe(200);
  });

  it('links still name the configured address, whatever host a request claims', async () => {
    const email = newEmail();
    const claims = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    // Unlike fetch, this sends the Host header that it is given.
    const { statusCode } = await request(`${proxied.app.url}/api/registerUser`, {
      method: 'POST',
      headers: { ...claims, forwarded: 'host=evil.example', 'content-type': 'application/json' },
      body: JSON.stringify(registration(email)),
    });
    expect(statusCode).toBe(200);
    const { text } = await proxied.emailTo(email, verifySubject);
    expect(text).toContain('http://127.0.0.1:4400/auth/verify#');
    expect(text).not.toContain('evil.example');
  });
});

describe('a mailed link', () => {
  it('sets one password, however many are posted at the same moment', async () => {
    const { email } = await createUser(server);
    await server.call('sendResetLinkEmail', { email });
    const token = await server.tokenSentTo(email, resetSubject);
    const passwords = Array.from({ length: 50 }, (_, n) => `one of fifty ${n} lanterns`);
    const answers = await Promise.all(
      passwords.map((each) => server.call('resetPassword', { token, password: each })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'link_used')).toHaveLength(49);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect((await server.call('login', { email, password: winner })).status).toBe(200);
  });

  it('dies when a newer one of its kind is sent', async () => {
    const { email } = await createUser(server);
    await server.call('sendResetLinkEmail', { email });
    const old = await server.tokenSentTo(email, resetSubject);
    await server.call('sendResetLinkEmail', { email });
    await expect.poll(() => server.tokenSentTo(email, resetSubject)).not.toBe(old);
    expect((await server.call('resetPassword', { token: old, password })).body.code).toBe(
      'link_invalid',
    );
    const newest = await server.tokenSentTo(email, resetSubject);
    expect((await server.call('resetPassword', { token: newest, password })).status).toBe(200);
  });

  it('opens only what it is for, and only for whom it is', async () => {
    const email = newEmail();
    await server.call('registerUser', registration(email));
    const verify = await server.tokenSentTo(email, verifySubject);
    await server.call('sendResetLinkEmail', { email });
    const reset = await server.tokenSentTo(email, resetSubject);
    expect((await server.call('resetPassword', { token: verify, password })).body.code).toBe(
      'link_invalid',
    );
    expect((await server.call('verifyLink', { token: reset })).body.code).toBe('link_invalid');
    expect((await server.call('openEmailLink', { hash: reset })).status).toBe(404);
    expect((await server.call('resetPassword', { token: reset, password })).body.email).toBe(email);
  });
});

describe('the hashing of passwords', () => {
  it('does two at a time, lets fifty wait, and sends the rest away', async () => {
    const passwords = new Argon2Passwords();
    const hash = await passwords.hash(password);
    using watch = watchHashing();
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, () => passwords.isRight(password, hash)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(52);
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason] : [],
    );
    for (const reason of refused)
      expect(reason).toMatchObject({ code: 'busy', status: 503, retryAfterSeconds: 2 });
    expect(watch.most).toBe(2);
    await expect(passwords.isRight(password, hash)).resolves.toBe(true);
  });

  it('keeps a hundred sign-ins at the same moment from holding up anybody else', async () => {
    using watch = watchHashing();
    const signIns = Array.from({ length: 100 }, () => attempt(server, newEmail()));
    let left = signIns.length;
    for (const signIn of signIns) void signIn.then(() => left--);
    while (watch.most < 2) await new Promise(setImmediate);
    expect((await server.call('getPlans', {})).status).toBe(200);
    expect(left).toBeGreaterThan(0);
    const answers = await Promise.all(signIns);
    const busy = answers.filter(({ status }) => status !== 422);
    expect(busy.length).toBeLessThanOrEqual(48);
    for (const { body, headers } of busy)
      expect([body.code, headers.get('retry-after')]).toEqual(['busy', '2']);
    expect(watch.most).toBe(2);
  });

  it('does not count as a try what it was too busy to look at', async () => {
    const { email } = await createUser(server);
    const crowd = keepBusy(server.app.ctx.passwords);
    for (let busy = 0; busy < 12; ) {
      const { code } = (await attempt(server, email)).body;
      // In the moment in which a place is free, a try may slip in; it counts, as it should.
      expect(['busy', 'wrong_credentials']).toContain(code);
      busy += Number(code === 'busy');
    }
    await crowd.disperse();
    expect((await server.call('login', { email, password })).status).toBe(200);
  });
});

describe('a chosen password', () => {
  it.each([
    ['seven characters', 'k7 wold'],
    ['seven emoji, though they are 14 code units', '🦊🌲🚲🎻🧵🪁🥁'],
    ['129 characters', 'kw 7'.repeat(32).concat('x')],
    ['nothing but blanks', '         '],
    ['one of the most used', 'Password1'],
    ['a row of keys', 'qwertyuiop'],
    ['the own name', 'ned newcomer'],
    ['the own address', 'ADDRESS'],
    ['a part of the own address', 'example.test1'],
    ['the product’s name', 'Rowmill2026'],
    ['a NUL inside', 'plain straw\u000047'],
  ])('is refused: %s', async (_what, chosen) => {
    const email = newEmail();
    const request = { ...registration(email), password: chosen.replace('ADDRESS', email) };
    const { status, body } = await server.call('registerUser', request);
    expect(status).toBe(422);
    expect(body.fields).toHaveProperty('password');
  });

  const long =
    'ein langer Satz, an den man sich gut erinnert, und noch einer dazu, damit es reicht ';

  it.each([
    ['eight characters', 'k7 wold9', 'k7 wold8'],
    ['eight emoji', '🦊🌲🚲🎻🧵🪁🥁🎈', '🦊🌲🚲🎻🧵🪁🥁🎃'],
    [
      '128 characters, told apart by the last',
      `${'kw 7'.repeat(31)}last`,
      `${'kw 7'.repeat(31)}lasT`,
    ],
    ['128 emoji, which are 512 bytes', `${'🦊🌲'.repeat(63)}🚲🎻`, `${'🦊🌲'.repeat(63)}🚲🥁`],
    ['more than 72 bytes, told apart by the 85th', `${long}1`, `${long}2`],
    ['blanks at both ends, which count', '  straw 47  ', 'straw 47'],
    ['small and large letters, which count', 'plain Straw 47', 'plain straw 47'],
  ])('is accepted, and nothing else opens: %s', async (_what, chosen, almost) => {
    const email = newEmail();
    expect(
      (await server.call('registerUser', { ...registration(email), password: chosen })).status,
    ).toBe(200);
    expect((await server.call('login', { email, password: almost })).body.code).toBe(
      'wrong_credentials',
    );
    expect((await server.call('login', { email, password: chosen })).status).toBe(200);
  });

  it('is the same however a keyboard composes its letters', async () => {
    const email = newEmail();
    const composed = 'crème brûlée 47';
    await server.call('registerUser', {
      ...registration(email),
      password: composed.normalize('NFD'),
    });
    expect(
      (await server.call('login', { email, password: composed.normalize('NFC') })).status,
    ).toBe(200);
  });

  it('is none of the 3,000 most used, in small or large letters', async () => {
    const mostUsed = (dictionary['passwords-common'] as string[])
      .filter((word) => word.length >= 8)
      .slice(0, 3_000);
    expect(mostUsed).toHaveLength(3_000);
    for (const word of mostUsed) {
      await expect(refuseWeakPassword(word, someone, 'Rowmill')).rejects.toMatchObject({
        code: 'invalid_input',
      });
      await expect(
        refuseWeakPassword(word.toUpperCase(), someone, 'Rowmill'),
      ).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
  });

  it('is judged the same at every door where one is chosen', async () => {
    const { email, token } = await createUser(server);
    await server.call('sendResetLinkEmail', { email });
    const link = await server.tokenSentTo(email, resetSubject);
    const refusals = await Promise.all([
      server.call('registerUser', { ...registration(newEmail()), password: 'iloveyou' }),
      server.call(
        'changePassword',
        { current_password: password, password: 'iloveyou' },
        { token },
      ),
      server.call('resetPassword', { token: link, password: 'iloveyou' }),
    ]);
    for (const { status, body } of refusals)
      expect([status, body.fields?.password]).toEqual([422, expect.stringContaining('most used')]);
    expect((await server.call('resetPassword', { token: link, password })).status).toBe(200);
  });
});

/** Counts how many passwords the process hashes at the same time, as the runtime itself reports it. */
function watchHashing(): { most: number } & Disposable {
  const running = new Set<number>();
  const watch = { most: 0 };
  const hook = createHook({
    init(id, type) {
      if (type === 'ARGON2REQUEST') watch.most = Math.max(watch.most, running.add(id).size);
    },
    before: (id) => void running.delete(id),
  }).enable();
  return Object.assign(watch, { [Symbol.dispose]: () => void hook.disable() });
}

/** More who want a password hashed than may wait, until they are sent home. */
function keepBusy(passwords: PasswordHasher): { disperse(): Promise<unknown> } {
  let isOpen = true;
  const person = async () => {
    while (isOpen) await passwords.hash(password).catch(() => new Promise(setImmediate));
  };
  const crowd = Promise.all(Array.from({ length: 60 }, person));
  return {
    disperse() {
      isOpen = false;
      return crowd;
    },
  };
}
