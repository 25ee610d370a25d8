import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { roles } from '@rowmill/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { shareDemoData } from '../../harness/processes.ts';
import { parseConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { findEmptyDatabase } from '../../src/db/embedded/empty-database.ts';
import { createPostgresDatabase, createServingDatabase } from '../support/databases.ts';

const source = join(import.meta.dirname, '../../src');
const isEmbedded = process.env.ROWMILL_TEST_DATABASE !== 'postgres';
/** About the time of a first start, so that the kills are spread over it. */
const usualStartMilliseconds = isEmbedded ? 2_500 : 1_000;
const root = mkdtempSync(join(tmpdir(), 'rowmill-start-'));
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** Where no process has been started yet: a folder and, on PostgreSQL, a database. */
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

/** Starts a process of the product. */
function launch(env: Record<string, string> = settings, ...command: string[]) {
  const [file = 'main.ts', ...rest] = command;
  // As `npm start` does: the embedded database then starts in half the time.
  const program = [process.execPath, '--liftoff-only', join(source, file), ...rest];
  const [start = '', ...parameters] = env.npm_lifecycle_event
    ? ['sh', '-c', '"$@"; exit', 'sh', ...program]
    : program;
  const child = spawn(start, parameters, {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const streams = { output: '', errors: '' };
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  child.stdout.on('data', (chunk) => {
    streams.output += chunk;
    const [, url] = /is ready at (http\S+)/.exec(streams.output) ?? [];
    if (url) resolve(url);
  });
  child.stderr.on('data', (chunk) => {
    streams.errors += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    reject(new Error(`It ended before it was ready. ${streams.errors}`));
    return { code, signal, ...streams };
  });
  // Tests that do not await it must not fail.
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
  it('ends a start at once, also in process 1 of a container', async () => {
    const product = launch();
    await expect.poll(() => existsSync(settings.DATA_DIR ?? '')).toBe(true);
    expect(await stop(product)).toMatchObject({ code: 0, signal: null });
  });

  it('lets running requests end without waiting for idle and unused connections, also when only the shell of npm gets it', async () => {
    const product = launch({ ...settings, npm_lifecycle_event: 'start' });
    const url = await product.ready;
    const unused = connect(Number(new URL(url).port), '127.0.0.1');
    await once(unused, 'connect');
    const body = { email: 'unknown@example.test', password: 'whatever it is' };
    const answers = Array.from({ length: 8 }, () => post(url, 'login', body));
    await Promise.race(answers);
    const ended = stop(product);
    const codes = (await Promise.allSettled(answers)).map((answer) =>
      answer.status === 'fulfilled' ? answer.value.code : null,
    );
    // Requests that come too late find no server.
    expect(codes).toContain('wrong_credentials');
    // The product holds the output of the shell until it has ended.
    expect(await ended).toMatchObject({ signal: 'SIGTERM', errors: '' });
    unused.destroy();
  });
});

describe('kill -9', () => {
  it('at three moments of the first start leaves nothing half done', async () => {
    const moments = [0.1, 0.4, 0.7].map((share) =>
      Math.round((share + Math.random() * 0.3) * usualStartMilliseconds),
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
  it('exits at once with code 1 and names the first, which keeps running, also as the operator command', async () => {
    const first = launch();
    const url = await first.ready;
    const second = await launch().ended;
    expect(second).toMatchObject({ code: 1, output: '' });
    expect(second.errors).toContain(`process ${first.child.pid}`);
    expect(second.errors).toContain('another DATA_DIR');
    const command = await launch(settings, 'cli/operator.ts', 'create', 'olive@example.test').ended;
    expect(command.code).toBe(1);
    expect(command.errors).toContain(`process ${first.child.pid}`);
    expect(await isReady(url)).toBe(true);
    first.child.kill('SIGKILL');
    await first.ended;
    const third = launch();
    expect(await isReady(await third.ready)).toBe(true);
    await stop(third);
    expect(await listUsers()).toEqual([]);
  });
});

describe.runIf(isEmbedded)('an invalid configuration', () => {
  it('is refused with code 2 and without a stack trace, a secret or a written file', async () => {
    const invalid = {
      DATABASE_URL: 'mysql://me:hidden-word@x/y',
      STRIPE_PUBLISHABLE_KEY: 'sk_live_x',
      STRIPE_SECRT_KEY: 'hidden-word',
    };
    const { code, output, errors } = await launch({ ...settings, ...invalid }).ended;
    expect({ code, output }, errors).toEqual({ code: 2, output: '' });
    expect(errors).toContain('DATABASE_URL is set, but must be');
    expect(errors).toContain('the browser would see it');
    expect(errors).toContain('STRIPE_SECRT_KEY is not a setting and has no effect.');
    expect(errors).not.toMatch(/hidden-word|sk_live_x|\n\s+at /);
    expect(existsSync(settings.DATA_DIR ?? '')).toBe(false);
  });
});

// The same on every database.
describe.runIf(isEmbedded)('what the start needs', () => {
  const taken = createServer().listen(0, '127.0.0.1');
  const takenPort = () => `${(taken.address() as AddressInfo).port}`;
  const file = import.meta.filename;
  afterAll(() => taken.close());

  it.each<[what: string, env: () => Record<string, string>, named: RegExp]>([
    ['a port', () => ({ PORT: takenPort() }), /^Port \d+ of .* is in use\. .* another PORT\.\n$/],
    [
      'an address',
      () => ({ HOST: 'none.invalid' }),
      /no address none\.invalid\. .* another HOST\.\n$/,
    ],
    [
      'a data directory',
      () => ({ DATA_DIR: file }),
      /^The data directory .+start-up\.test\.ts cannot be used \(EEXIST.* another DATA_DIR\.\n$/,
    ],
    [
      'a database',
      () => ({
        DATABASE_URL: 'postgres://me:hidden-word@127.0.0.1:1/x',
        DATABASE_OWNER_URL: '',
      }),
      /^The database of DATABASE_URL cannot be used: .*ECONNREFUSED.* correct DATABASE_URL\.\n$/,
    ],
  ])(
    'is refused with code 2 and one sentence that names the setting: %s',
    async (_what, env, named) => {
      const { code, output, errors } = await launch({ ...settings, ...env() }).ended;
      expect({ code, output }, errors).toEqual({ code: 2, output: '' });
      expect(errors).toMatch(named);
      expect(errors).not.toContain('hidden-word');
    },
  );
});

it.runIf(!isEmbedded)('a start whose serving role does not exist is refused', async () => {
  const address = new URL(settings.DATABASE_URL ?? '');
  address.username = 'stranger';
  for (const owner of ['', settings.DATABASE_OWNER_URL ?? '']) {
    const env = { ...settings, DATABASE_URL: address.href, DATABASE_OWNER_URL: owner };
    const { code, errors } = await launch(env).ended;
    expect(code, errors).toBe(2);
    expect(errors).toMatch(/^The database of DATABASE_URL cannot be used: .*stranger.*\n$/);
  }
});

it.runIf(!isEmbedded)('a start is refused when connections lose their settings', async () => {
  // As behind a pooler that ignores them.
  const address = new URL(settings.DATABASE_URL ?? '');
  address.searchParams.set('options', '-c work_mem=8MB');
  const { code, errors } = await launch({ ...settings, DATABASE_URL: address.href }).ended;
  expect(code, errors).toBe(2);
  expect(errors).toMatch(/DATABASE_URL.* must be that of PostgreSQL itself, not of a pooler.*\n$/);
});

it.runIf(!isEmbedded)('a start whose role may not create tables is refused', async () => {
  const { pathname } = new URL(await createPostgresDatabase());
  const address = Object.assign(new URL(settings.DATABASE_URL ?? ''), { pathname });
  const env = { ...settings, DATABASE_URL: address.href, DATABASE_OWNER_URL: '' };
  const { code, errors } = await launch(env).ended;
  expect(code, errors).toBe(2);
  expect(errors).toMatch(/^The database refuses: permission denied .* right to create .*\n$/);
});

it.runIf(!isEmbedded)('a first start takes no dates and schemas of the database', async () => {
  const url = await createPostgresDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const change = `alter database ${new URL(url).pathname.slice(1)} set`;
  await client.query('create schema other; create table other.kysely_migration (name text)');
  await client.query(`${change} search_path = other, public; ${change} datestyle = German`);
  await client.end();
  await using database = await openDatabase({ kind: 'postgres', url, ownerUrl: null });
  const { rows } = await sql`select now() as at, count(*)::int as people from users`.execute(
    database.db,
  );
  expect(rows).toEqual([{ at: expect.any(Date), people: 0 }]);
});

describe.runIf(isEmbedded)('a damaged data directory', () => {
  const damages: [file: string, named: RegExp][] = [
    ['database/PG_VERSION', /PG_VERSION is missing\. Restore it from a backup/],
    ['database/global/pg_control', /pg_control is missing or incomplete\. Restore it/],
  ];

  it('is refused with code 2, the directory and the remedy in one line, until it is restored', async () => {
    const directory = settings.DATA_DIR ?? '';
    cpSync(findEmptyDatabase() ?? '', join(directory, 'database'), { recursive: true });
    for (const [file, named] of damages) {
      const path = join(directory, file);
      const content = readFileSync(path);
      rmSync(path);
      const { code, output, errors } = await launch().ended;
      expect({ code, output }, errors).toEqual({ code: 2, output: '' });
      expect(errors).toMatch(named);
      expect(errors).toContain(directory);
      expect(errors.trim().split('\n')).toHaveLength(1);
      expect(existsSync(path)).toBe(false);
      writeFileSync(path, content);
    }
    const restored = launch();
    expect(await isReady(await restored.ready)).toBe(true);
    await stop(restored);
  });
});

describe.runIf(!isEmbedded)('a PostgreSQL database of another encoding', () => {
  it('is refused with the remedy', async () => {
    const options = "encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0";
    const DATABASE_URL = await createPostgresDatabase(undefined, options);
    const { code, errors } = await launch({ ...settings, DATABASE_URL, DATABASE_OWNER_URL: '' })
      .ended;
    expect(code).toBe(2);
    expect(errors).toMatch(/has the encoding SQL_ASCII\. Create it with encoding UTF8/);
    expect(errors).not.toMatch(/postgres:\/\/|\n\s+at /);
  });
});

describe('the database of a demo', () => {
  it.runIf(isEmbedded)('is refused with the remedy unless it is a demo again', async () => {
    cpSync(await shareDemoData(), settings.DATA_DIR ?? '', { recursive: true });
    const demo = { ...settings, DEMO: 'auto' };
    const others: Record<string, string>[] = [
      { DEMO: 'auto', NODE_ENV: 'production' },
      { DEMO: 'auto', PUBLIC_URL: 'https://rowmill.example.test' },
    ];
    const create = ['cli/operator.ts', 'create', 'olive@example.test'];
    const starts = others.map((env) => ({ env, command: [] as string[] }));
    for (const { env, command } of [...starts, { env: { DEMO: 'off' }, command: create }]) {
      const { code, output, errors } = await launch({ ...settings, ...env }, ...command).ended;
      expect({ code, output }, errors).toEqual({ code: 2, output: '' });
      expect(errors).toMatch(/^\S+ holds a demo with public passwords.* Set DATA_DIR to .*\n$/);
    }
    const again = launch(demo);
    expect(await isReady(await again.ready)).toBe(true);
    await stop(again);
  });

  it.runIf(isEmbedded)('is never one that has people already', async () => {
    const create = ['cli/operator.ts', 'create', 'olive@example.test'];
    expect((await launch(settings, ...create).ended).code).toBe(0);
    const demo = { ...settings, DEMO: 'auto' };
    for (const command of [[], create]) {
      const { code, output, errors } = await launch(demo, ...command).ended;
      expect({ code, output }, errors).toEqual({ code: 2, output: '' });
      expect(errors).toMatch(/^\S+ holds people .* Set NODE_ENV=production or DEMO=off, .*\n$/);
    }
    expect(await listUsers()).toMatchObject([{ email: 'olive@example.test' }]);
    expect((await launch(settings, ...create).ended).code).toBe(0);
  });

  it.runIf(!isEmbedded)('is refused with the remedy when it was moved to PostgreSQL', async () => {
    const { database } = parseConfig(readEnvironment(settings));
    await using open = await openDatabase(database);
    await open.db.insertInto('demo_mark').values({ id: 1 }).execute();
    const { code, errors } = await launch().ended;
    expect(code).toBe(2);
    expect(errors).toMatch(
      /^The database of DATABASE_URL holds a demo .* Set DATABASE_URL to .*\n$/,
    );
  });
});

// The same on every database.
it.runIf(isEmbedded && process.platform !== 'win32')(
  'a limit of open files that is too low is refused with code 2, the figure and the remedy, before anything is written',
  async () => {
    const child = spawn(
      'sh',
      ['-c', 'ulimit -n 256; exec "$0" "$1"', process.execPath, join(source, 'main.ts')],
      { env: { ...settings, CHAT_CONCURRENCY: '512' }, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(errors).toContain('may open 256 files and connections');
    expect(errors).toContain('needs 1224');
    expect(existsSync(settings.DATA_DIR ?? '')).toBe(false);
  },
);

describe('a new installation', () => {
  it('has no users, neither stored nor in the site settings, and ends at two signals with code 0', async () => {
    const product = launch();
    const url = await product.ready;
    expect(await isReady(url)).toBe(true);
    expect(await (await fetch(`${url}/config.prod.json`)).json()).toMatchObject({ demo: null });
    product.child.kill('SIGINT');
    product.child.kill('SIGTERM');
    const output = expect.stringContaining('answered by the demo model');
    expect(await product.ended).toMatchObject({ code: 0, signal: null, output, errors: '' });
    expect(await listUsers()).toEqual([]);
  });

  it('gets its operator by a command, who sets a password by a one-time link', async () => {
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
    expect(user?.role_id).toBe(roles.operator);
    await stop(product);
  });

  it.runIf(isEmbedded).each([
    ['an invalid address', ['create', 'nonsense']],
    ['an unknown command', ['remove', 'olive@example.test']],
  ])('shows the usage of the operator command for %s', async (_what, rest) => {
    const { code, errors } = await launch(settings, 'cli/operator.ts', ...rest).ended;
    expect({ code, errors }).toEqual({
      code: 2,
      errors: 'Usage: npm run operator -- create EMAIL\n',
    });
  });
});

interface Answer {
  status: boolean;
  code?: string;
  user?: { role_id: number };
}

async function post(url: string, call: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/${call}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}
