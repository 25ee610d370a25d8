import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type SiteSettings, siteSettings } from '@rowmill/contract';
import { describe, expect, it, vi } from 'vitest';
import { startTestServer } from '../support/test-server.ts';

const server = await startTestServer();

const get = (path: string, init?: RequestInit) => fetch(server.app.url + path, init);

describe('every response', () => {
  it.each([
    ['a page', '/auth/login'],
    ['a missing file', '/assets/nothing.js'],
    ['the site settings', '/config.prod.json'],
    ['the contract', '/openapi.json'],
    ['a refusal', '/api/login'],
    ['a health call', '/health/ready'],
    ['a page of the demo only', '/dev/mail'],
    ['a malformed address', '/%E0%A4%A'],
  ])('has the security headers: %s', async (_what, path) => {
    const { headers } = await get(path);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('server')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of [
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "script-src 'self'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toContain('unsafe');
  });
});

it.each([
  ['without a host', 400, ''],
  ['with an expectation', 417, 'Host: x\r\nExpect: a-miracle\r\n'],
  ['with two lengths', 400, 'Host: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n'],
])('refuses a request %s, with the security headers', async (_what, status, lines) => {
  const socket = connect(Number(new URL(server.app.url).port), '127.0.0.1');
  socket.write(`GET / HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
  const answer = await text(socket);
  expect(answer).toContain(`HTTP/1.1 ${status} `);
  expect(answer).toContain('x-content-type-options: nosniff\r\n');
  expect(answer).toContain("frame-ancestors 'none'");
});

it('names a proxy that is not trusted once in the log', async () => {
  const warn = vi.spyOn(server.app.ctx.log, 'warn');
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  for (let times = 0; times < 2; times++) await get('/health/live', { headers });
  const address = expect.stringContaining('127.0.0.1');
  expect(warn.mock.calls).toEqual([[{ address }, expect.stringContaining('TRUSTED_PROXIES')]]);
  warn.mockRestore();
});

describe('the API', () => {
  const post = (headers: Record<string, string>) =>
    get('/api/getPlans', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });

  it('is never cached', async () => {
    const { headers } = await post({});
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it.each(['null', 'https://evil.example', 'http://127.0.0.1:4400.evil.example'])(
    'refuses pages of the origin %s',
    async (origin) => {
      const answer = await post({ origin });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('counts such a refusal, and names the origin and PUBLIC_URL once in the log', async () => {
    const warn = vi.spyOn(server.app.ctx.log, 'warn');
    const origin = 'https://public-url-is-wrong.example';
    for (let times = 0; times < 2; times++) expect((await post({ origin })).status).toBe(403);
    const { publicUrl } = server.app.ctx.config.http;
    expect(warn.mock.calls).toEqual([[{ origin }, expect.stringContaining(publicUrl)]]);
    warn.mockRestore();
    const refused = 'rowmill_request_seconds_count{route="/api/getPlans",status="403"}';
    expect(await (await get('/metrics')).text()).toContain(refused);
  });

  it('answers pages of its own origin and their preflight requests', async () => {
    const origin = 'http://127.0.0.1:4400';
    expect((await post({ origin })).headers.get('access-control-allow-origin')).toBe(origin);
    const preflight = await get('/api/getPlans', { method: 'OPTIONS', headers: { origin } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE'])(
    'answers %s with 405 where only POST is allowed',
    async (method) => {
      expect((await get('/api/login', { method })).status).toBe(405);
    },
  );

  it.each(['/api/saveFile', '/api/emedia/saveFiles'])(
    'says where the calls are listed at an address that none has: %s',
    async (path) => {
      const answer = await get(path, { method: 'POST' });
      const list = expect.stringContaining('The list of calls is at /openapi.json.');
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ code: 'not_found', message: list }),
      ]);
      expect((await get('/openapi.json')).status).toBe(200);
    },
  );

  it.each([
    ['POST', '/api/emedia/downloadUploadedCsv/1', 'GET, HEAD'],
    ['GET', '/api/getPlans', 'POST'],
    ['HEAD', '/api/emedia/events', 'GET'],
    ['PUT', '/config.prod.json', 'GET, HEAD'],
    ['POST', '/dashboard', 'GET, HEAD'],
  ])('answers %s of %s with 405 and allows %s', async (method, path, allowed) => {
    const answer = await get(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')?.split(', ').sort().join(', ')).toBe(allowed);
  });
});

describe('a file of the site', () => {
  it.each([
    ['range', 'bytes=999999999-'],
    ['range', 'bytes=a-b'],
    ['range', 'bytes=0-1'],
    ['if-match', '"x"'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('is sent whole despite the header %s: %s', async (name, value) => {
    const answer = await get('/auth/login', { headers: { [name]: value } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<title>Rowmill</title>');
  });
});

it('shows metrics to this machine, but not to those whom a proxy on it forwards', async () => {
  expect((await get('/metrics')).status).toBe(200);
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  expect((await get('/metrics', { headers })).status).toBe(404);
});

it('serves the files of a site that is built while it runs, and nothing beside it', async () => {
  const site = join(server.settings.DATA_DIR ?? '', '../site');
  const path = '/assets/later-AbCd1234.js';
  expect((await get(path)).status).toBe(404);
  mkdirSync(join(site, 'assets'));
  writeFileSync(join(site, path), 'export {};');
  writeFileSync(join(site, 'index.html'), 'the next build');
  writeFileSync(join(site, '.built-from'), 'a hash');
  writeFileSync(join(site, '../beside.js'), 'export {};');
  const answer = await get(path);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await answer.text()).toBe('export {};');
  expect(await (await get('/dashboard')).text()).toBe('the next build');
  for (const path of ['/.built-from', '/%2e%2e/beside.js', '/assets/..%2f..%2fbeside.js'])
    expect((await get(path)).status).not.toBe(200);
  const long = 'x'.repeat(5_000);
  for (const path of [
    '/a%00b',
    `/${long}`,
    '/orders//',
    '/assets/a%00b',
    `/assets/${long}`,
    '/assets/',
  ])
    expect([200, 404], path).toContain((await get(path)).status);
});

describe('the settings for the browser', () => {
  it('contain hosts, operator and payment keys for browsers, and no secret', async () => {
    const settings = (await (await get('/config.prod.json')).json()) as SiteSettings;
    expect(settings).toMatchObject({
      environment: 'prod',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      hosts: { auth: '', plan: '', main: '' },
      demo: null,
      payments: { stripe: { publishable_key: null }, paypal: { client_id: null } },
    });
    expect(settings.operator.address).toContain('Isle of Man');
    expect(settings).toEqual(siteSettings.parse(settings));
    expect(JSON.stringify(settings)).not.toMatch(/secret|sk_|password/i);
  });
});
