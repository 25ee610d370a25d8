import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnswerOf,
  type Endpoint,
  type EndpointName,
  endpoints,
  type RefusalBody,
  type RequestOf,
  refusalsOf,
} from '@rowmill/contract';
import { afterAll } from 'vitest';
import { OutboxMail } from '../../src/adapters/outbox-mail.ts';
import { type App, type Overrides, startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { copyEmbeddedDatabase, createServingDatabase, isPostgres } from './databases.ts';

type Body<N extends EndpointName> = AnswerOf<(typeof endpoints)[N]> & Partial<RefusalBody>;

interface Asked {
  token?: string | undefined;
  headers?: Record<string, string>;
}

interface Uploaded {
  status: number;
  body: Body<'saveFile'>;
}

/** A real server on a real database, and the hands to use it as a browser would. */
export interface TestServer {
  app: App;
  clock: MovableClock;
  /** What the server was started with: for another one on the same database, or the same one again. */
  settings: Record<string, string>;
  /** Stops the server and starts it again on what it has kept. */
  restart(): Promise<void>;
  call<N extends EndpointName>(
    name: N,
    request: RequestOf<(typeof endpoints)[N]>,
    asked?: Asked,
  ): Promise<{ status: number; headers: Headers; body: Body<N> }>;
  /** Uploads a sheet as a browser would, with further fields. */
  upload(
    csv: string | Uint8Array,
    asked: Asked & { name?: string; fields?: Record<string, string> },
  ): Promise<Uploaded>;
  /** Calls what answers with a file. */
  download<N extends EndpointName>(
    name: N,
    request: RequestOf<(typeof endpoints)[N]>,
    asked?: Asked,
  ): Promise<Response>;
  /** Waits for the mail whose subject holds these words and gives it. */
  emailTo(address: string, subject: string): Promise<{ text: string }>;
  /** The token of the link in the newest mail of this subject. */
  tokenSentTo(address: string, subject: string): Promise<string>;
}

export class MovableClock implements Clock {
  #ahead = 0;

  now(): Date {
    return new Date(Date.now() + this.#ahead);
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}

/** One server a test file; `env` adds settings. It is stopped, and what it kept is deleted, after the file. */
export async function startTestServer(
  env: Record<string, string> = {},
  overrides: Overrides = {},
): Promise<TestServer> {
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-test-'));
  const siteDirectory = join(directory, 'site');
  await mkdir(siteDirectory);
  await writeFile(join(siteDirectory, 'index.html'), '<!doctype html><title>Rowmill</title>');
  const dataDirectory = join(directory, 'data');
  if (!isPostgres) copyEmbeddedDatabase(join(dataDirectory, 'database'));
  const settings: Record<string, string> = {
    PORT: '0',
    DATA_DIR: dataDirectory,
    DEMO: 'off',
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
  afterAll(async () => {
    await server.app[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });
  const outbox = new OutboxMail(join(dataDirectory, 'outbox'), clock);
  const emailTo = (address: string, subject: string) => waitForMail(outbox, address, subject);
  const server: TestServer = {
    app: await start(),
    clock,
    settings,
    async restart() {
      await server.app[Symbol.asyncDispose]();
      server.app = await start();
    },
    call: (name, request, asked) => callServer(server.app.url, name, request, asked),
    upload: (csv, asked) => uploadTo(server.app.url, csv, asked),
    download: (name, request, asked) => send(server.app.url, name, request, asked),
    emailTo,
    tokenSentTo: async (address, subject) => tokenIn((await emailTo(address, subject)).text),
  };
  return server;
}

async function callServer<N extends EndpointName>(
  base: string,
  name: N,
  request: object,
  asked?: Asked,
) {
  const response = await send(base, name, request, asked);
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
  { token, headers = {} }: Asked = {},
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
  await assertDeclared(endpoint, response);
  return response;
}

/** Fails when a call refuses with a code that its endpoint does not declare. */
export async function assertDeclared(endpoint: Endpoint, response: Response): Promise<void> {
  if (response.ok) return;
  const { code } = (await response.clone().json()) as RefusalBody;
  if (!refusalsOf(endpoint).has(code))
    throw new Error(`${endpoint.path} refused with ${code}, which its endpoint does not declare.`);
}

async function uploadTo(
  base: string,
  csv: string | Uint8Array,
  { token, headers = {}, name = 'sheet.csv', fields = {} }: Parameters<TestServer['upload']>[1],
): Promise<Uploaded> {
  const body = new FormData();
  for (const [key, value] of Object.entries(fields)) body.append(key, value);
  body.append('file', new Blob([csv as BlobPart]), name);
  const signed: Record<string, string> = {
    ...headers,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const response = await fetch(base + endpoints.saveFile.path, {
    method: 'POST',
    headers: signed,
    body,
  });
  await assertDeclared(endpoints.saveFile, response);
  return { status: response.status, body: (await response.json()) as Body<'saveFile'> };
}

async function waitForMail(outbox: OutboxMail, address: string, subject: string) {
  for (;;) {
    const mail = (await outbox.list()).find(
      (kept) => kept.to === address && kept.subject.includes(subject),
    );
    if (mail) return mail;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function tokenIn(text: string): string {
  const [, token] = /#([\w-]{20,})/.exec(text) ?? [];
  if (!token) throw new Error('The mail holds no link with a token.');
  return token;
}
