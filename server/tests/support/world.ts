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
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { OutboxMail } from '../../src/adapters/outbox-mail.ts';
import { type App, type Overrides, startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import type { Clock } from '../../src/lib/clock.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    /** Also its password. */
    servingRole: string;
  }
}

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
export interface World {
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
  mailTo(address: string, subject: string): Promise<{ text: string }>;
  /** The token of the link in the newest mail of this subject. */
  linkTo(address: string, subject: string): Promise<string>;
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
export async function startWorld(
  env: Record<string, string> = {},
  overrides: Overrides = {},
): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-test-'));
  const siteDirectory = join(directory, 'site');
  await mkdir(siteDirectory);
  await writeFile(join(siteDirectory, 'index.html'), '<!doctype html><title>Rowmill</title>');
  const database: Record<string, string> =
    process.env.ROWMILL_TEST_DATABASE === 'postgres' ? await createGuardedDatabase() : {};
  const settings: Record<string, string> = {
    PORT: '0',
    DATA_DIR: join(directory, 'data'),
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'http://127.0.0.1:4400',
    ...database,
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
    await world.app[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });
  const outbox = new OutboxMail(join(directory, 'data', 'outbox'), clock);
  const mailTo = (address: string, subject: string) => waitForMail(outbox, address, subject);
  const world: World = {
    app: await start(),
    clock,
    settings,
    async restart() {
      await world.app[Symbol.asyncDispose]();
      world.app = await start();
    },
    call: (name, request, asked) => callServer(world.app.url, name, request, asked),
    upload: (csv, asked) => uploadTo(world.app.url, csv, asked),
    download: (name, request, asked) => send(world.app.url, name, request, asked),
    mailTo,
    linkTo: async (address, subject) => tokenIn((await mailTo(address, subject)).text),
  };
  return world;
}

/** A crowd may be told to come again in a moment, and then does. */
export async function insist<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
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

function send(
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
  return fetch(base + path, {
    method: endpoint.method,
    headers: { ...type, ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
    ...(endpoint.method === 'POST' ? { body: JSON.stringify(request) } : {}),
  });
}

async function uploadTo(
  base: string,
  csv: string | Uint8Array,
  { token, headers = {}, name = 'sheet.csv', fields = {} }: Parameters<World['upload']>[1],
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

/** For a product under a role that owns nothing, as `docs/operating.md` asks for it. */
export async function createGuardedDatabase() {
  const ownerUrl = await createPostgresDatabase();
  const url = new URL(ownerUrl);
  url.username = inject('servingRole');
  url.password = inject('servingRole');
  return { DATABASE_URL: url.href, DATABASE_OWNER_URL: ownerUrl };
}

export async function createPostgresDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${Math.random().toString(36).slice(2)}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}
