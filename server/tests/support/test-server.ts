import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnswerOf,
  type EndpointName,
  endpoints,
  type RefusalBody,
  type RequestOf,
} from '@rowmill/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { holdDatabaseCode } from '../../harness/database-code.ts';
import { OutboxMail } from '../../src/adapters/outbox-mail.ts';
import { type App, type Overrides, startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { closeAtEnd } from './closing.ts';
import { createServingDatabase, isPostgres } from './databases.ts';
import { assertDescribed } from './openapi.ts';
import { until } from './waiting.ts';

type Body<N extends EndpointName> = AnswerOf<(typeof endpoints)[N]> & Partial<RefusalBody>;

interface CallOptions {
  token?: string;
  headers?: Record<string, string>;
}

interface Uploaded {
  status: number;
  body: Body<'saveFile'>;
}

/** A real server on a real database, and methods that call it as a browser would. */
export interface TestServer {
  app: App;
  clock: MovableClock;
  /** What the server was started with. Another server with these settings shares the database. */
  settings: Record<string, string>;
  /** Stops the server and starts it again on the same data. */
  restart(): Promise<void>;
  call<N extends EndpointName>(
    name: N,
    request: RequestOf<(typeof endpoints)[N]>,
    options?: CallOptions,
  ): Promise<{ status: number; headers: Headers; body: Body<N> }>;
  ask(
    request: RequestOf<(typeof endpoints)['askChatGpt']>,
    options?: CallOptions,
  ): Promise<{ status: number; headers: Headers; body: Body<'askChatGpt'> }>;
  /** Uploads a sheet, with further form fields. */
  upload(
    csv: string | Uint8Array,
    options: CallOptions & { name?: string; fields?: Record<string, string> },
  ): Promise<Uploaded>;
  /** The submissions that a person has left. */
  balance(person: CallOptions): Promise<number>;
  /** Makes a call that answers with a file. */
  download<N extends EndpointName>(
    name: N,
    request: RequestOf<(typeof endpoints)[N]>,
    options?: CallOptions,
  ): Promise<Response>;
  /** Waits for an email whose subject contains these words. */
  emailTo(address: string, subject: string): Promise<{ text: string; html: string }>;
  /** Waits for such an email and returns the token of its link. */
  tokenSentTo(address: string, subject: string): Promise<string>;
}

class MovableClock implements Clock {
  #ahead = 0;

  now(): Date {
    return new Date(Date.now() + this.#ahead);
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}

/** Usually one per test file. It is stopped and its data deleted after the file. */
export async function startTestServer(
  env: Record<string, string> = {},
  overrides: Overrides = {},
): Promise<TestServer> {
  if (!isPostgres) await holdDatabaseCode();
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-test-'));
  closeAtEnd(() => rmSync(directory, { recursive: true, force: true }));
  const siteDirectory = join(directory, 'site');
  await mkdir(siteDirectory);
  await writeFile(join(siteDirectory, 'index.html'), '<!doctype html><title>Rowmill</title>');
  const dataDirectory = join(directory, 'data');
  const settings: Record<string, string> = {
    PORT: '0',
    DATA_DIR: dataDirectory,
    DEMO: 'off',
    DEMO_MODEL_PACE: 'off',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'http://127.0.0.1:4400',
    ...(isPostgres ? await createServingDatabase() : {}),
    ...env,
  };
  const clock = new MovableClock();
  const start = () =>
    startApp(parseConfig(readEnvironment(settings)), {
      clock,
      siteDirectory,
      isScheduled: false,
      ...overrides,
    });
  const outbox = new OutboxMail(join(dataDirectory, 'outbox'), clock);
  const emailTo = (address: string, subject: string) => waitForEmail(outbox, address, subject);
  const server: TestServer = {
    app: await start(),
    clock,
    settings,
    async restart() {
      await server.app[Symbol.asyncDispose]();
      server.app = await start();
    },
    call: (name, request, options) => callServer(server.app.url, name, request, options),
    ask: (request, options) => server.call('askChatGpt', request, options),
    balance: async (person) =>
      (await server.call('getAvailableCredits', {}, person)).body.creditsAvailable,
    upload: (csv, options) => uploadTo(server.app.url, csv, options),
    download: (name, request, options) => send(server.app.url, name, request, options),
    emailTo,
    tokenSentTo: async (address, subject) => tokenIn((await emailTo(address, subject)).text),
  };
  closeAtEnd(() => server.app[Symbol.asyncDispose]());
  return server;
}

async function callServer<N extends EndpointName>(
  base: string,
  name: N,
  request: object,
  options?: CallOptions,
) {
  const response = await send(base, name, request, options);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Body<N>,
  };
}

async function send(
  base: string,
  name: EndpointName,
  request: object,
  { token, headers = {} }: CallOptions = {},
): Promise<Response> {
  const endpoint = endpoints[name];
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key) =>
    String((request as Record<string, unknown>)[key]),
  );
  const type: Record<string, string> = { 'content-type': 'application/json' };
  const response = await fetch(base + path, {
    method: endpoint.method,
    headers: { ...type, ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
    ...(endpoint.method === 'POST' ? { body: JSON.stringify(request) } : {}),
  });
  await assertDescribed(endpoint, response);
  return response;
}

async function uploadTo(
  base: string,
  csv: string | Uint8Array,
  { token, headers = {}, name = 'sheet.csv', fields = {} }: Parameters<TestServer['upload']>[1],
): Promise<Uploaded> {
  const body = new FormData();
  for (const [key, value] of Object.entries(fields)) body.append(key, value);
  body.append('file', new Blob([csv as string | Uint8Array<ArrayBuffer>]), name);
  const signed: Record<string, string> = {
    ...headers,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const response = await fetch(base + endpoints.saveFile.path, {
    method: 'POST',
    headers: signed,
    body,
  });
  await assertDescribed(endpoints.saveFile, response);
  return { status: response.status, body: (await response.json()) as Body<'saveFile'> };
}

async function waitForEmail(outbox: OutboxMail, address: string, subject: string) {
  const find = async () =>
    (await outbox.list()).find((email) => email.to === address && email.subject.includes(subject));
  let email: Awaited<ReturnType<typeof find>>;
  await until(async () => {
    email = await find();
    return email !== undefined;
  });
  return email as NonNullable<typeof email>;
}

function tokenIn(text: string): string {
  const [, token] = /#([\w-]{20,})/.exec(text) ?? [];
  if (!token) throw new Error('The email contains no link with a token.');
  return token;
}

/** Runs statements that the serving role may not. */
export async function asOwner({ app, settings }: TestServer, statements: string): Promise<void> {
  if (!isPostgres) {
    await app.ctx.db.transaction().execute(async (db) => {
      for (const statement of statements.split(/;\s*$/m).filter(Boolean))
        await sql.raw(statement).execute(db);
    });
    return;
  }
  const client = new pg.Client({ connectionString: settings.DATABASE_OWNER_URL });
  await client.connect();
  await client.query(statements);
  await client.end();
}
