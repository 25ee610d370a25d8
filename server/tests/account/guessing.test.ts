import { createHook } from 'node:async_hooks';
import { parseOptions } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { beforeEach, describe, expect, it } from 'vitest';
import { Argon2Passwords, hashesAtOnce } from '../../src/adapters/argon2-passwords.ts';
import { issueEmailLink } from '../../src/domains/identity/email-links.ts';
import { refuseWeakPassword } from '../../src/domains/identity/passwords/policy.ts';
import type { PasswordHasher } from '../../src/domains/identity/port.ts';
import { startTestServer } from '../support/test-server.ts';
import {
  attemptSignIn as attempt,
  countAttempts,
  createUser,
  newEmail,
  password,
  registration,
} from '../support/users.ts';
import { retryWhileBusy } from '../support/waiting.ts';

const second = 1_000;
const hour = 3_600 * second;
const verifySubject = 'verify your email address';
const resetSubject = 'Set a new password';

const server = await startTestServer();
// All requests come from one IP address, so each test starts with a fresh rate limit.
beforeEach(() => server.clock.advance(hour));

const someone = { email: 'someone@example.test', first_name: 'Sam', last_name: 'Jones' };

describe('guessing a password', () => {
  it('is limited to ten attempts; then even the right password waits for the limit to end', async () => {
    const { email } = await createUser(server);
    expect(await countAttempts(server, email, () => ({}))).toBe(10);
    const locked = await server.call('login', { email, password });
    expect(locked.body.code).toBe('too_many_requests');
    const wait = Number(locked.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    // Further attempts do not extend the wait.
    server.clock.advance((wait - 1) * second);
    await attempt(server, email);
    server.clock.advance(second);
    expect((await server.call('login', { email, password })).status).toBe(200);
  });

  it('gets no further attempt with simultaneous requests', async () => {
    const { email } = await createUser(server);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => retryWhileBusy(() => attempt(server, email))),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it.each(['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'forwarded'])(
    'gets no further attempt with a changed %s header',
    async (name) => {
      const { email } = await createUser(server);
      const addressOf = (n: number) => (name === 'forwarded' ? `for=10.1.0.${n}` : `10.1.0.${n}`);
      expect(await countAttempts(server, email, (n) => ({ [name]: addressOf(n) }))).toBe(10);
    },
  );

  it('gets no further attempt with another spelling of the address', async () => {
    const { email } = await createUser(server);
    const spellings = [email, email.toUpperCase(), ` ${email} `, email.replace('p', 'P')];
    const answers = await Promise.all(
      spellings.flatMap((each) =>
        Array.from({ length: 4 }, () => retryWhileBusy(() => attempt(server, each))),
      ),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
  });

  it('is limited to ten attempts for the current password of a stolen session', async () => {
    const { token } = await createUser(server);
    const change = { current_password: 'not the password', password: 'quiet lantern 82 meadow' };
    const answers = await Promise.all(
      Array.from({ length: 15 }, () =>
        retryWhileBusy(() => server.call('changePassword', change, { token })),
      ),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
  });
});

describe('guessing across many accounts', () => {
  it('is limited to a hundred attempts per hour and IP address', async () => {
    let attempts = 0;
    while ((await attempt(server, newEmail())).status === 422) attempts++;
    expect(attempts).toBe(100);
    server.clock.advance(hour);
    expect((await attempt(server, newEmail())).status).toBe(422);
  });
});

describe('an email link', () => {
  it('sets one password when fifty are posted at the same moment', async () => {
    const { email } = await createUser(server);
    await server.call('sendResetLinkEmail', { email });
    const token = await server.tokenSentTo(email, resetSubject);
    const passwords = Array.from({ length: 50 }, (_, n) => `one of fifty ${n} lanterns`);
    const answers = await Promise.all(
      passwords.map((each) =>
        retryWhileBusy(() => server.call('resetPassword', { token, password: each })),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'link_used')).toHaveLength(49);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect((await server.call('login', { email, password: winner })).status).toBe(200);
  });

  it('is invalid once a newer one of its kind is sent', async () => {
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

  it('gives an address to one of several people who verify it at the same moment', async () => {
    const { ctx } = server.app;
    for (let round = 0; round < 5; round++) {
      const pending_email = newEmail();
      const people = await Promise.all(Array.from({ length: 6 }, () => createUser(server)));
      const tokens = people.map(async ({ id }) => {
        await ctx.db.updateTable('users').set({ pending_email }).where('id', '=', id).execute();
        return issueEmailLink(ctx, { userId: id, purpose: 'change_email' });
      });
      const answers = await Promise.all(
        (await Promise.all(tokens)).map((token) =>
          retryWhileBusy(() => server.call('verifyLink', { token })),
        ),
      );
      const codes = answers.map(({ body }) => body.code ?? 'verified').sort();
      expect(codes).toEqual([...Array(5).fill('link_invalid'), 'verified']);
    }
  });

  it('is not issued for an address that the person no longer has', async () => {
    const { ctx } = server.app;
    const { id: userId, email } = await createUser(server);
    const purpose = 'invitation';
    await expect(issueEmailLink(ctx, { userId, purpose, email: newEmail() })).rejects.toThrow();
    expect(await issueEmailLink(ctx, { userId, purpose, email })).toMatch(/^[\w-]{20,}$/);
  });

  it('works only for its purpose and its owner', async () => {
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

describe('password hashing', () => {
  it('runs one or two at a time, queues fifty and refuses the rest', async () => {
    const passwords = new Argon2Passwords();
    const hash = await passwords.hash(password);
    using watch = watchHashing();
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, () => passwords.isRight(password, hash)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(
      hashesAtOnce.running + hashesAtOnce.waiting,
    );
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason] : [],
    );
    for (const reason of refused)
      expect(reason).toMatchObject({ code: 'busy', status: 503, retryAfterSeconds: 2 });
    expect(watch.most).toBe(hashesAtOnce.running);
    await expect(passwords.isRight(password, hash)).resolves.toBe(true);
  });

  it('serves other networks while one has too many', async () => {
    const passwords = new Argon2Passwords();
    const hash = await passwords.hash(password);
    const crowd = Array.from({ length: 60 }, () =>
      passwords.isRight(password, hash, '2001:db8:1::/48').catch(() => 'refused'),
    );
    let left = crowd.length;
    for (const one of crowd) void one.then(() => left--);
    expect(await passwords.isRight(password, hash, '203.0.113.9')).toBe(true);
    expect(left).toBeGreaterThan(40);
    expect(await Promise.all(crowd)).toContain('refused');
  });

  it('does not delay other requests during a hundred simultaneous sign-ins', async () => {
    using watch = watchHashing();
    const signIns = Array.from({ length: 100 }, () => attempt(server, newEmail()));
    let left = signIns.length;
    for (const signIn of signIns) void signIn.then(() => left--);
    while (watch.most < hashesAtOnce.running) await new Promise(setImmediate);
    expect((await server.call('getPlans', {})).status).toBe(200);
    expect(left).toBeGreaterThan(0);
    const answers = await Promise.all(signIns);
    const busy = answers.filter(({ status }) => status !== 422);
    // PostgreSQL's pool may refuse some as well.
    expect(busy.length).toBeLessThan(answers.length);
    for (const { body, headers } of busy)
      expect([body.code, headers.get('retry-after')]).toEqual(['busy', '2']);
    expect(watch.most).toBe(hashesAtOnce.running);
  });

  it('renews a hash with other costs at sign-in, also for many at once', async () => {
    const { email, id } = await createUser(server);
    const cheap = new Argon2Passwords({ memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const { db } = server.app.ctx;
    const stored = () =>
      db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow();
    const old = await cheap.hash(password);
    await db.updateTable('users').set({ password_hash: old }).where('id', '=', id).execute();
    await attempt(server, email);
    expect((await stored()).password_hash).toBe(old);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        retryWhileBusy(() => server.call('login', { email, password })),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const renewed = (await stored()).password_hash ?? '';
    expect(parseOptions(renewed)).toMatchObject({ memoryCost: 19_456, timeCost: 2 });
    expect((await server.call('login', { email, password })).status).toBe(200);
    expect((await stored()).password_hash).toBe(renewed);
  });

  it('does not count an attempt that was refused as busy', async () => {
    const { email } = await createUser(server);
    const crowd = keepBusy(server.app.ctx.passwords);
    for (let busy = 0; busy < 12; ) {
      const { code } = (await attempt(server, email)).body;
      // An attempt may slip in when a place is free for a moment. It counts.
      expect(['busy', 'wrong_credentials']).toContain(code);
      busy += Number(code === 'busy');
    }
    await crowd.stop();
    expect((await server.call('login', { email, password })).status).toBe(200);
  });
});

describe('a chosen password', () => {
  it.each([
    ['seven characters', 'k7 wold'],
    ['seven emoji, which are 14 code units', '🦊🌲🚲🎻🧵🪁🥁'],
    ['129 characters', 'kw 7'.repeat(32).concat('x')],
    ['only spaces', '         '],
    ['a common password', 'Password1'],
    ['a keyboard row', 'qwertyuiop'],
    ['their own name', 'ned newcomer'],
    ['their own address', 'ADDRESS'],
    ['a part of their own address', 'example.test1'],
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
      '128 characters, of which the last differs',
      `${'kw 7'.repeat(31)}last`,
      `${'kw 7'.repeat(31)}lasT`,
    ],
    ['128 emoji, which are 512 bytes', `${'🦊🌲'.repeat(63)}🚲🎻`, `${'🦊🌲'.repeat(63)}🚲🥁`],
    ['more than 72 bytes, of which the 85th differs', `${long}1`, `${long}2`],
    ['spaces at both ends, which count', '  straw 47  ', 'straw 47'],
    ['upper and lower case, which count', 'plain Straw 47', 'plain straw 47'],
  ])('is accepted exactly as written: %s', async (_what, chosen, almost) => {
    const email = newEmail();
    expect(
      (await server.call('registerUser', { ...registration(email), password: chosen })).status,
    ).toBe(200);
    expect((await server.call('login', { email, password: almost })).body.code).toBe(
      'wrong_credentials',
    );
    expect((await server.call('login', { email, password: chosen })).status).toBe(200);
  });

  it('matches however a keyboard composes its letters', async () => {
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

  it('is none of the 3,000 most common, in lower or upper case', async () => {
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
      ).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  it('follows the same rules when registering, changing and resetting', async () => {
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
      expect([status, body.fields?.password]).toEqual([
        422,
        expect.stringContaining('most common'),
      ]);
    expect((await server.call('resetPassword', { token: link, password })).status).toBe(200);
  });
});

/** Observes in the runtime how many passwords are hashed at the same time. */
function watchHashing(): { most: number } & Disposable {
  const running = new Set<number>();
  const watch = { most: 0 };
  const hook = createHook({
    init(id, type) {
      // The name under which Node lists the work of the argon2 library.
      if (type === 'undefined') watch.most = Math.max(watch.most, running.add(id).size);
    },
    before: (id) => void running.delete(id),
  }).enable();
  return Object.assign(watch, { [Symbol.dispose]: () => void hook.disable() });
}

/** Keeps the hashing queue of the tests' network full until `stop` is called. */
function keepBusy(passwords: PasswordHasher): { stop(): Promise<unknown> } {
  let isOpen = true;
  const person = async () => {
    while (isOpen)
      await passwords.hash(password, '127.0.0.1').catch(() => new Promise(setImmediate));
  };
  const crowd = Promise.all(Array.from({ length: 60 }, person));
  return {
    stop() {
      isOpen = false;
      return crowd;
    },
  };
}
