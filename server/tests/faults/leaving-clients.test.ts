import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { can, type Endpoint, type EndpointName, endpoints, roles } from '@rowmill/contract';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { ConnectionTurns } from '../../src/db/connection-turns.ts';
import { answerError } from '../../src/http/errors.ts';
import { countRequests } from '../../src/http/metrics.ts';
import { createServer } from '../../src/http/server.ts';
import { Turns } from '../../src/lib/turns.ts';
import { callTable } from '../authority/call-table.ts';
import { BatchClient } from '../support/batches.ts';
import { startChat } from '../support/chat.ts';
import { closeAtEnd } from '../support/closing.ts';
import { expectLedgerChecksToPass } from '../support/ledger-checks.ts';
import { startPaymentServer } from '../support/payment-server.ts';
import { boundary, ending, openSocket, sheetPart } from '../support/raw-request.ts';
import { unfinishedFiles } from '../support/stored-files.ts';
import { createSession, createUser } from '../support/users.ts';
import { until } from '../support/waiting.ts';

/** Turns of people and of connections that were taken and not ended. */
const held = { count: 0 };
countHeld(Turns.prototype);
countHeld(ConnectionTurns.prototype);

const { settings } = await startChat();
const server = await startPaymentServer(settings);
const client = await BatchClient.create(server, 10_000);
const admin = await createUser(server, { roleId: roles.admin, submissions: 10 });
const operator = await createUser(server, { roleId: roles.operator });
const victim = await createUser(server, { adminId: admin.id });

function countHeld(prototype: { take(...of: never[]): Promise<() => void> }): void {
  const { take } = prototype;
  prototype.take = async function taking(...of) {
    const end = await take.apply(this, of);
    held.count++;
    let isHeld = true;
    return () => {
      if (isHeld) held.count--;
      isHeld = false;
      end();
    };
  };
  closeAtEnd(() => Object.assign(prototype, { take }));
}

/**
 * When the client leaves: milliseconds after its request, in the middle of the body, or with the
 * first byte of the answer.
 */
const moments = [0, 1, 3, 8, 20, 'body', 'answer'] as const;

async function leave(
  endpoint: Endpoint,
  { request, token, key }: { request: Record<string, unknown>; token: string; key: string },
  moment: (typeof moments)[number],
): Promise<void> {
  const isForm = endpoint.accepts === 'multipart';
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name) => String(request[name]));
  const form = Buffer.concat([sheetPart(`a\n${'1\n'.repeat(20_000)}`), ending]);
  const json = Buffer.from(JSON.stringify(request));
  const body = endpoint.method === 'GET' ? Buffer.alloc(0) : isForm ? form : json;
  const lines = [
    `${endpoint.method} ${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${token}`,
    `idempotency-key: ${key}`,
    `content-type: ${isForm ? `multipart/form-data; boundary=${boundary}` : 'application/json'}`,
    `content-length: ${body.length}`,
  ];
  const { socket, answer } = openSocket(server);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await new Promise<void>((sent) =>
    socket.write(moment === 'body' ? body.subarray(0, body.length / 2) : body, () => sent()),
  );
  if (moment === 'answer') await until(() => answer() !== '');
  else await wait(moment === 'body' ? 5 : moment);
  socket.destroy();
}

const openSheets = () =>
  existsSync('/proc/self/fd')
    ? readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).includes(`${server.settings.DATA_DIR}/files/`);
        } catch {
          return false;
        }
      })
    : [];

it('a client that disconnects at any moment of any call leaves nothing behind', async () => {
  const { user } = client;
  const sheetOf = async (csv: string) => (await server.upload(csv, user)).body.file.id;
  const sheet = await sheetOf(`Prompt,x\n${`one,${'x'.repeat(5_000)}\n`.repeat(400)}`);
  const untouched = await sheetOf('Prompt\none\n');
  const { id: batch } = await client.start(['one', 'two']);
  await client.whenEnded(batch);
  const calls = (Object.keys(endpoints) as EndpointName[])
    .filter((name) => !['deleteFile', 'deleteBatch', 'setSuspended', 'setRole'].includes(name))
    .map((name) => [name, callTable[name].ask({ id: victim.id, sheet, batch })] as const);
  const query = { file: untouched };
  calls.push(
    ['askChatGpt', { question: 'Why?', query: {} }],
    ['askChatGpt', { questionWithVariable: '{{Prompt}}', query: { ...query, preview: 1 } }],
    ['askChatGpt', { questionWithVariable: '{{Prompt}}', query: { ...query, start: true } }],
    ['getRows', { id: batch, search: 'one' }],
    ['getProcessedFiles', { search: 'one' }],
    ...(['csv', 'xlsx', 'jsonl'] as const).map(
      (format) => ['downloadChatGptResponse', { file: batch, format }] as const,
    ),
    ['downloadChatGptResponse', { file: batch, unchanged: true }],
    ['deleteFile', { id: untouched }],
  );
  for (const [index, [name, request]] of calls.entries()) {
    server.clock.advance(60_000);
    const endpoint: Endpoint = endpoints[name];
    const people = [user, admin, operator].filter((_, role) => {
      const { requires } = endpoint;
      return !requires || can(role + 1, requires);
    });
    const person = callTable[name].target ? admin : (people[0] ?? user);
    await Promise.all(
      moments.map(async (moment) => {
        const token = await createSession(server, person.id);
        await leave(endpoint, { request, token, key: `${name}-${index}-${moment}` }, moment);
      }),
    );
  }
  await until(() => held.count === 0);
  expect(await unfinishedFiles(server)).toEqual([]);
  await expect.poll(openSheets).toEqual([]);
  const { db } = server.app.ctx;
  const keys = db.selectFrom('idempotency_keys').select('key').where('answer', 'is', null);
  await expect.poll(() => keys.where('is_dropped', '=', false).execute()).toEqual([]);
  const accounts = db.selectFrom('credit_accounts').select('reserved').where('reserved', '>', 0);
  await until(async () => (await accounts.execute()).length === 0);
  await expectLedgerChecksToPass(server);
});

it('clients that disconnect in the middle of their bodies leave no request and no timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const ended = async () => {
    const metrics = await (await fetch(`${server.app.url}/metrics`)).text();
    const counted = `rowmill_request_seconds_count{route="${endpoints.login.path}"`;
    const lines = metrics.split('\n').filter((line) => line.startsWith(counted));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  const endedBefore = await ended();
  const timersBefore = timers();
  const request = { email: 'someone@example.test', password: 'not the password' };
  for (let round = 0; round < 10; round++)
    await Promise.all(
      Array.from({ length: 10 }, () =>
        leave(endpoints.login, { request, token: 'none', key: 'none' }, 'body'),
      ),
    );
  await until(async () => (await ended()) >= endedBefore + 100);
  await until(() => timers() <= timersBefore + 5);
});

it('a client that leaves before its answer has a line in the log and counts in the metrics', async () => {
  const lines: string[] = [];
  const keep = (line: string) => line.includes('"route"') && lines.push(line);
  const log = pino({}, { write: keep }) as never;
  const registry = new Registry();
  const app = createServer({ ...server.app.ctx, log });
  countRequests(app, registry);
  const started = Promise.withResolvers<void>();
  app.get('/never/:id', () => {
    started.resolve();
    return new Promise(() => {});
  });
  app.get('/at-once', async () => ({}));
  const url = await app.listen({ port: 0 });
  await (await fetch(`${url}/at-once`)).json();
  const abort = new AbortController();
  const left = fetch(`${url}/never/1`, { signal: abort.signal }).catch(() => 'left');
  await started.promise;
  abort.abort();
  expect(await left).toBe('left');
  await until(() => lines.length === 2);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'GET', route: '/at-once', status: 200, milliseconds: expect.any(Number) },
    { method: 'GET', route: '/never/:id', status: 499, milliseconds: expect.any(Number) },
  ]);
  const metrics = await registry.metrics();
  for (const labels of ['route="/at-once",status="200"', 'route="/never/:id",status="499"'])
    expect(metrics).toContain(`rowmill_request_seconds_count{${labels}} 1`);
  await app.close();
});

it('a client that leaves before the first byte of a download is no error in the log', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => lines.push(line) });
  const app = Fastify({ loggerInstance: log as FastifyBaseLogger });
  app.setErrorHandler(answerError);
  const content = new Readable({ read: () => {} });
  app.get('/', (_, reply) => reply.send(content));
  const abort = new AbortController();
  const left = fetch(await app.listen({ port: 0 }), { signal: abort.signal }).catch(() => 'left');
  await until(() => content.readableFlowing === true);
  abort.abort();
  expect(await left).toBe('left');
  await until(() => content.closed);
  await app.close();
  expect(lines).toEqual([]);
});
