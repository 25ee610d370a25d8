import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { roles } from '@rowmill/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { createServingDatabase } from '../support/databases.ts';

const source = join(import.meta.dirname, '../../src');
const isEmbedded = process.env.ROWMILL_TEST_DATABASE !== 'postgres';
/** Roughly how long a first start takes, so that its kills are spread over it. */
const usualStartMilliseconds = isEmbedded ? 2_500 : 1_000;
const root = mkdtempSync(join(tmpdir(), 'rowmill-start-'));
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** A new installation for each test: a folder, and on PostgreSQL a database. */
let number = 0;
let settings: Record<string, string>;
beforeEach(async () => {
  const name = `start_${++number}`;
  const database: Record<string, string> = isEmbedded ? {} : await createServingDatabase();
  settings = {
    PORT: '0',
    DATA_DIR: join(root, name),
    LOG_LEVEL: 'error',
    DEMO: 'off',
    ...database,
  };
});

/** A process of the product, and what one can wait for. */
function launch(env: Record<string, string> = settings, ...command: string[]) {
  const [file = 'main.ts', ...rest] = command;
  const child = spawn(process.execPath, [join(source, file), ...rest], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const said = { output: '', errors: '' };
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  child.stdout.on('data', (chunk) => {
    said.output += chunk;
    const [, url] = /is ready at (http\S+)/.exec(said.output) ?? [];
    if (url) resolve(url);
  });
  child.stderr.on('data', (chunk) => {
    said.errors += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    reject(new Error(`It ended before it was ready. ${said.errors}`));
    return { code, signal, ...said };
  });
  // Who does not wait for it does not mind.
  ready.catch(() => {});
  return { child, ready, ended };
}

async function stop({ child, ended }: ReturnType<typeof launch>) {
  child.kill('SIGTERM');
  return ended;
}

const isReady = async (url: string) => (await fetch(`${url}/health/ready`)).status === 200;

async function listUsers() {
  await using database = await openDatabase(parseConfig(readEnvironment(settings)).database);
  return await database.db.selectFrom('users').selectAll().execute();
}

describe('a signal', () => {
  it.each<[string, NodeJS.Signals[]]>([
    ['SIGTERM', ['SIGTERM']],
    ['SIGINT', ['SIGINT']],
    ['SIGTERM twice', ['SIGTERM', 'SIGTERM']],
    ['SIGINT and SIGTERM', ['SIGINT', 'SIGTERM']],
  ])('stops the product with exit code 0: %s', async (_what, signals) => {
    const product = launch();
    expect(await isReady(await product.ready)).toBe(true);
    for (const signal of signals) product.child.kill(signal);
    expect(await product.ended).toMatchObject({ code: 0, signal: null, errors: '' });
  });

  it('lets what is under way end, and does not wait for connections that are kept alive', async () => {
    const product = launch();
    const url = await product.ready;
    const body = { email: 'nobody@example.test', password: 'whatever it is' };
    const answers = Array.from({ length: 8 }, () => post(url, 'login', body));
    await Promise.race(answers);
    const ended = stop(product);
    const codes = (await Promise.allSettled(answers)).map((answer) =>
      answer.status === 'fulfilled' ? answer.value.code : null,
    );
    // Who came too late for the door finds nobody there.
    expect(codes).toContain('wrong_credentials');
    expect((await ended).code).toBe(0);
  });
});

describe('kill -9', () => {
  it('at five moments of the first start leaves nothing half made', async () => {
    const moments = [0.1, 0.3, 0.5, 0.7, 0.9].map((share) =>
      Math.round((share + Math.random() * 0.1) * usualStartMilliseconds),
    );
    for (const moment of moments) {
      const victim = launch({ ...settings, DEMO: 'auto' });
      await Promise.race([victim.ended, new Promise((resolve) => setTimeout(resolve, moment))]);
      victim.child.kill('SIGKILL');
      expect((await victim.ended).signal, `killed after ${moments} ms`).toBe('SIGKILL');
    }
    const survivor = launch({ ...settings, DEMO: 'auto' });
    expect(await isReady(await survivor.ready), `killed after ${moments} ms`).toBe(true);
    expect((await stop(survivor)).code).toBe(0);
    const people = (await listUsers()).map(({ email }) => email);
    expect(people).toHaveLength(isEmbedded ? 5 : 0);
    expect(new Set(people).size).toBe(people.length);
  });
});

describe.runIf(isEmbedded)('a second process on the same data directory', () => {
  it('ends at once with code 1 and names the first, which goes on', async () => {
    const first = launch();
    const url = await first.ready;
    const second = await launch().ended;
    expect(second).toMatchObject({ code: 1, output: '' });
    expect(second.errors).toContain(`process ${first.child.pid}`);
    expect(second.errors).toContain('another DATA_DIR');
    expect(await isReady(url)).toBe(true);
    first.child.kill('SIGKILL');
    await first.ended;
    const third = launch();
    expect(await isReady(await third.ready)).toBe(true);
    await stop(third);
  });
});

describe('a configuration that contradicts itself', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['a port that is none', { PORT: 'eighty' }, ['PORT is "eighty"']],
    [
      'two mistakes',
      { PORT: '70000', LOG_LEVEL: 'loud' },
      ['PORT is "70000"', 'LOG_LEVEL is "loud"'],
    ],
    [
      'an owner of no database',
      { DATABASE_OWNER_URL: 'postgres://a@b/c', DATABASE_URL: '' },
      ['without DATABASE_URL'],
    ],
    [
      'a part of the embedded database',
      { SERVE: 'auth', DATABASE_URL: '' },
      ['works with one process'],
    ],
    ['a demo for everybody', { DEMO: 'on', HOST: '0.0.0.0' }, ['its passwords are public']],
    ['a demo in production', { DEMO: 'on', NODE_ENV: 'production' }, ['its passwords are public']],
    [
      'real money on the embedded database',
      { LIVE_PAYMENTS: '1', DATABASE_URL: '' },
      ['LIVE_PAYMENTS=1 needs DATABASE_URL'],
    ],
    [
      'a secret key for the browser',
      { STRIPE_PUBLISHABLE_KEY: 'sk_live_x' },
      ['the browser would see it'],
    ],
    [
      'a database that is none',
      { DATABASE_URL: 'mysql://me:hidden-word@x/y' },
      ['DATABASE_URL is set, but must be'],
    ],
    [
      'a key for half',
      { FILES_BUCKET: 'sheets', FILES_ACCESS_KEY_ID: 'x' },
      ['FILES_SECRET_ACCESS_KEY is not'],
    ],
    [
      'a store without a bucket',
      { FILES_ENDPOINT: 'http://s3.example.com' },
      ['but FILES_BUCKET is not'],
    ],
    [
      'a store over an open line',
      { FILES_BUCKET: 'sheets', FILES_ENDPOINT: 'http://s3.example.com' },
      ['FILES_ENDPOINT must start with https://'],
    ],
    [
      'a public address that is none',
      { PUBLIC_URL: 'example.com' },
      ['PUBLIC_URL is "example.com"'],
    ],
  ])('starts nothing and says why: %s', async (_what, env, words) => {
    const { code, output, errors } = await launch({ ...settings, ...env }).ended;
    expect({ code, output }, errors).toEqual({ code: 2, output: '' });
    for (const part of words) expect(errors).toContain(part);
    expect(errors).not.toMatch(/hidden-word|sk_live_x|\n\s+at /);
    expect(existsSync(settings.DATA_DIR ?? '')).toBe(false);
  });
});

describe('a new installation', () => {
  it('has nobody in it, and nobody in the browser’s settings', async () => {
    const product = launch();
    const url = await product.ready;
    expect((await (await fetch(`${url}/config.prod.json`)).json()).demo).toBeNull();
    await stop(product);
    expect(await listUsers()).toEqual([]);
  });

  it('gets its operator from the machine itself, who sets a password by a link that works once', async () => {
    const command = await launch(settings, 'cli/operator.ts', 'create', 'olive@example.test').ended;
    expect(command).toMatchObject({ code: 0, errors: '' });
    const [, token = ''] = /\/auth\/invitation#([\w-]{43})\s/.exec(command.output) ?? [];
    expect(await listUsers()).toMatchObject([
      { email: 'olive@example.test', role_id: roles.operator, password_hash: null },
    ]);
    const product = launch();
    const url = await product.ready;
    const password = 'plain straw 47 winter';
    expect(await post(url, 'resetPassword', { token, password })).toMatchObject({ status: true });
    expect(await post(url, 'resetPassword', { token, password })).toMatchObject({
      code: 'link_used',
    });
    const { user } = await post(url, 'login', { email: 'olive@example.test', password });
    expect(user.role_id).toBe(roles.operator);
    await stop(product);
  });

  it.each([[[]], [['create']], [['create', 'nonsense']], [['remove', 'olive@example.test']]])(
    'is told how the operator command is used: %j',
    async (rest) => {
      const { code, errors } = await launch(settings, 'cli/operator.ts', ...rest).ended;
      expect({ code, errors }).toEqual({
        code: 2,
        errors: 'Usage: npm run operator -- create EMAIL\n',
      });
    },
  );

  it.runIf(isEmbedded)(
    'is not given an operator behind the back of a running process',
    async () => {
      const product = launch();
      await product.ready;
      const command = await launch(settings, 'cli/operator.ts', 'create', 'olive@example.test')
        .ended;
      expect(command.code).toBe(1);
      expect(command.errors).toContain(`process ${product.child.pid}`);
      await stop(product);
      expect(await listUsers()).toEqual([]);
    },
  );
});

async function post(url: string, call: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  return (
    await fetch(`${url}/api/${call}`, { method: 'POST', headers, body: JSON.stringify(body) })
  ).json();
}
