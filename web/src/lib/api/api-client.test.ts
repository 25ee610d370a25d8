import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { addClient, fetchUserDetail, login } from '@rowmill/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { resetStorage } from '../../../harness/memory-storage.ts';
import { loadSettings } from '../settings.ts';
import { storage } from '../storage.ts';
import { call, onSessionEnd } from './api-client.ts';

const received: IncomingHttpHeaders[] = [];
let server: Server;
let ends = 0;
/** Runs between the arrival of a request and its answer. */
let onArrival = () => {};
/** What a gateway answers instead of the server. */
let gatewayBody: string | null = null;

const settings = (base: string) => ({
  environment: 'prod',
  version: '0.1.0',
  hosts: { auth: base, plan: base, main: base },
  operator: { product: 'P', company: 'C', address: 'A', email: 'e', phone: 'p', social: [] },
  limits: { upload_bytes: 1, sheet_rows: 1, sheet_columns: 1 },
  payments: { stripe: { publishable_key: null }, paypal: { client_id: null } },
  demo: null,
});

beforeAll(async () => {
  server = createServer((request, response) => {
    const isSettings = request.url === '/config.prod.json';
    if (!isSettings) received.push(request.headers);
    if (!isSettings) onArrival();
    if (!isSettings && gatewayBody) return void response.writeHead(502).end(gatewayBody);
    response.writeHead(isSettings ? 200 : 401, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        isSettings
          ? settings(base())
          : { status: false, code: 'not_signed_in', message: 'Sign in.', request_id: 'r' },
      ),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const ownFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => ownFetch(new URL(String(input), base()), init);
  onSessionEnd(() => ends++);
  await loadSettings();
});
afterAll(() => server.close());
beforeEach(() => {
  received.length = 0;
  ends = 0;
  onArrival = () => {};
  gatewayBody = null;
  resetStorage();
  localStorage.setItem('userToken', JSON.stringify('token'));
});

const base = () => `http://127.0.0.1:${(server.address() as { port: number }).port}`;

it('ends the session once and sends each of five parallel calls exactly once more', async () => {
  const calls = await Promise.allSettled(
    Array.from({ length: 5 }, () => call(fetchUserDetail, {})),
  );
  expect(calls.every(({ status }) => status === 'rejected')).toBe(true);
  expect(received).toHaveLength(10);
  expect(ends).toBe(1);
  expect(storage.read('userToken')).toBeNull();
});

it('repeats a request with the same idempotency key', async () => {
  await expect(
    call(addClient, { first_name: 'A', last_name: 'B', email: 'a@example.test' }),
  ).rejects.toThrow('Sign in.');
  const [first, second] = received;
  expect(first?.['idempotency-key']).toMatch(/^[\w-]{16,}$/);
  expect(second?.['idempotency-key']).toBe(first?.['idempotency-key']);
  expect(second?.authorization).toBe('Bearer token');
});

it('repeats a request that the end of the session aborts', async () => {
  const query = new AbortController();
  onSessionEnd(() => {
    ends++;
    query.abort();
  });
  await expect(call(fetchUserDetail, {}, { signal: query.signal })).rejects.toThrow('Sign in.');
  expect(received).toHaveLength(2);
  expect(ends).toBe(1);
});

it('ends the session also when its token cannot be read', async () => {
  localStorage.setItem('userToken', 'broken');
  localStorage.setItem('currentUser', '{}');
  await expect(call(fetchUserDetail, {})).rejects.toThrow('Sign in.');
  expect(localStorage.length).toBe(0);
  expect(ends).toBe(1);
});

it('keeps a new session when the 401 of an old one arrives late', async () => {
  onArrival = () => storage.write('userToken', 'next');
  await expect(call(fetchUserDetail, {})).rejects.toThrow('Sign in.');
  expect(storage.read('userToken')).toBe('next');
  expect(ends).toBe(0);
  expect(received).toHaveLength(2);
});

it.each(['<html>Bad Gateway</html>', '{"error":"upstream"}', 'null'])(
  'reports in words the answer %s, which did not come from the server',
  async (body) => {
    gatewayBody = body;
    const attempt = call(login, { email: 'a@example.test', password: 'secret' });
    await expect(attempt).rejects.toThrow('could not be read');
  },
);
