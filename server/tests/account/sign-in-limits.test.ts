import { roles } from '@rowmill/contract';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { rateLimits } from '../../src/domains/requests/rate-limits.ts';
import { startTestServer } from '../support/test-server.ts';
import {
  attemptSignIn as attempt,
  countAttempts,
  createUser,
  newEmail,
  password,
  registration,
} from '../support/users.ts';

const server = await startTestServer({ TRUSTED_PROXIES: '127.0.0.1' });

describe('all sign-ins together', () => {
  const total = rateLimits.signInTotal.attempts;
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const counted = () =>
    server.app.ctx.db
      .selectFrom('rate_limits')
      .select('attempts')
      .where('key', 'like', 'sign-in-all:%')
      .executeTakeFirst();
  const count = (attempts: number) =>
    server.app.ctx.db
      .updateTable('rate_limits')
      .set({ attempts })
      .where('key', 'like', 'sign-in-all:%')
      .execute();

  it('count only attempts that account and network allow', async () => {
    const { email } = await createUser(server);
    expect(await countAttempts(server, email, () => from('198.51.100.7'), 30)).toBe(10);
    expect(await counted()).toEqual({ attempts: 10 });
  });

  it('accept networks that signed in lately when the limit is reached', async () => {
    const { email } = await createUser(server);
    const signIn = (address: string) =>
      server.call('login', { email, password }, { headers: from(address) });
    expect((await signIn('203.0.113.20')).status).toBe(200);
    await count(total);
    for (const _ of [1, 2]) {
      expect((await signIn('203.0.113.20')).status).toBe(200);
      const { status, headers } = await signIn('203.0.113.21');
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60);
    }
    await count(total - 1);
    // Its refused attempts were not counted for it, so it has all ten left.
    expect(await countAttempts(server, email, () => from('203.0.113.21'))).toBe(1);
    await count(0);
    expect(await countAttempts(server, email, () => from('203.0.113.21'))).toBe(9);
  });

  it('send operators an email at half of the limit, once', async () => {
    const operator = await createUser(server, { roleId: roles.operator });
    await attempt(server, newEmail(), from('203.0.113.30'));
    await count(total / 2 - 2);
    await Promise.all(
      Array.from({ length: 4 }, (_, n) => attempt(server, newEmail(), from(`203.0.113.${40 + n}`))),
    );
    const { text } = await server.emailTo(operator.email, 'Unusually many sign-ins');
    expect(text).toContain('half of their limit');
    const metrics = await (await fetch(`${server.app.url}/metrics`)).text();
    expect(metrics).toContain('rowmill_events_total{event="sign_ins_near_limit"} 1\n');
  });
});

describe('behind a trusted proxy', () => {
  it('the address seen by the proxy counts, not the ones the client wrote before it', async () => {
    const { email } = await createUser(server);
    const chain = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}, 203.0.113.7` });
    expect(await countAttempts(server, email, chain)).toBe(10);
    expect(
      await countAttempts(server, email, (n) => ({
        'x-forwarded-for': `127.0.0.1, 10.0.0.${n}, 203.0.113.7`,
      })),
    ).toBe(0);
  });

  it('guesses from one address do not lock out the owner at another', async () => {
    const { email } = await createUser(server);
    await countAttempts(server, email, () => ({ 'x-forwarded-for': '203.0.113.8' }));
    const owner = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    expect((await server.call('login', { email, password }, owner)).status).toBe(200);
  });

  it('links name the configured host, whatever host a request claims', async () => {
    const email = newEmail();
    const claims = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    // Unlike fetch, undici sends the given Host header.
    const { statusCode } = await request(`${server.app.url}/api/registerUser`, {
      method: 'POST',
      headers: { ...claims, forwarded: 'host=evil.example', 'content-type': 'application/json' },
      body: JSON.stringify(registration(email)),
    });
    expect(statusCode).toBe(200);
    const { text } = await server.emailTo(email, 'verify your email address');
    expect(text).toContain('http://127.0.0.1:4400/auth/verify#');
    expect(text).not.toContain('evil.example');
  });
});
