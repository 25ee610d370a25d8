import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import type { Call } from '../../fakes/chat/call-log.ts';
import { type App, startApp } from '../src/app.ts';
import { type DatabaseConfig, parseConfig } from '../src/config/config.ts';
import { readEnvironment } from '../src/config/env.ts';
import { openDatabase } from '../src/db/connect.ts';
import { seedDemo } from '../src/demo/demo-people.ts';
import { moveCredits } from '../src/domains/credits/ledger.ts';
import { findUserByEmail } from '../src/domains/identity/store/users.ts';

const root = join(import.meta.dirname, '../..');
const turnReport = ['--import', pathToFileURL(join(import.meta.dirname, 'report-turns.ts')).href];

export interface Child extends AsyncDisposable {
  process: ChildProcess;
  url: string;
}

/** Starts a program and waits for the line that names its address. */
export async function startChild(
  args: readonly string[],
  env: Record<string, string>,
  address: RegExp,
  { cwd = root, reportsTurns = false } = {},
): Promise<Child> {
  const child = spawn(process.execPath, [...(reportsTurns ? turnReport : []), ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', ...(reportsTurns ? (['ipc'] as const) : [])],
  });
  const output = child.stdout as Readable;
  for await (const line of createInterface({ input: output })) {
    const [, url] = address.exec(line) ?? [];
    if (!url) continue;
    output.resume();
    return { process: child, url, [Symbol.asyncDispose]: () => endWith(child, 'SIGTERM') };
  }
  throw new Error(`${args.join(' ')} ended before it was ready.`);
}

/** That of a product: PostgreSQL at this address, or the embedded one in this directory. */
export function databaseOf(url: string | undefined, directory: string | null): DatabaseConfig {
  return url ? { kind: 'postgres', url } : { kind: 'embedded', directory };
}

/** The memory that a process has now, in MB, or the most that it has had. Linux only. */
export function megabytesOf({ process: child }: Child, figure: 'now' | 'most'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const line = figure === 'now' ? /^VmRSS:\s+(\d+) kB/m : /^VmHWM:\s+(\d+) kB/m;
  return Number(line.exec(status)?.[1]) / 1_000;
}

/** How much the memory of a process grows at most while the work is done, in MB. Linux only. */
export async function growthDuring(child: Child, work: () => Promise<unknown>): Promise<number> {
  // Resets the peak.
  writeFileSync(`/proc/${child.process.pid}/clear_refs`, '5');
  const before = megabytesOf(child, 'most');
  await work();
  return megabytesOf(child, 'most') - before;
}

/**
 * Milliseconds of CPU time in the longest turn of the event loop since the last question, of a
 * process that reports its turns.
 */
export async function longestTurn({ process: child }: Child): Promise<number> {
  const reported = once(child, 'message', { signal: AbortSignal.timeout(60_000) });
  child.send('longest turn');
  const [milliseconds] = (await reported) as [number];
  return milliseconds;
}

async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

export function kill9({ process: child }: Child): Promise<void> {
  return endWith(child, 'SIGKILL');
}

export function startFakeChatProcess(...options: string[]): Promise<Child> {
  return startChild(['fakes/chat/main.ts', '--port', '0', ...options], {}, /"url":\s*"([^"]+)"/);
}

/** Every call a fake chat provider has received, in order. */
export async function callsAt(url: string): Promise<Call[]> {
  return (await (await fetch(new URL('/log', url))).json()) as Call[];
}

/** Waits until a fake chat provider has received this many calls. */
export async function whenCalled(url: string, calls: number): Promise<void> {
  const received = async () =>
    (await (await fetch(new URL('/state', url))).json()) as { calls: number };
  while ((await received()).calls < calls) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Changes how a fake chat provider behaves. */
export async function behave(url: string, change: object): Promise<void> {
  await fetch(new URL('/behave', url), { method: 'POST', body: JSON.stringify(change) });
}

/** More submissions than any test or measurement uses. */
const plenty = 50_000_000;

/** A data directory whose demo client has plenty of submissions. */
export async function prepareData(env: Record<string, string> = {}): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-bench-'));
  if (env.DATABASE_URL) await seed(directory, env);
  else cpSync(await shareDemoData(), directory, { recursive: true });
  return directory;
}

/**
 * Makes the database of a demo, whose first start costs 9 s of CPU and one on a copy 3 s. This
 * process and those that it starts copy it.
 */
export async function shareDemoData({ submissions = plenty } = {}): Promise<string> {
  const { ROWMILL_DEMO_DATA: shared } = process.env;
  if (shared) return shared;
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-demo-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  await seed(directory, {}, submissions);
  process.env.ROWMILL_DEMO_DATA = directory;
  return directory;
}

async function seed(directory: string, env: Record<string, string>, submissions = plenty) {
  await using app = await startDemo(directory, env);
  // Outside the embedded database DEMO=on is refused, because the demo passwords are public.
  if (env.DEMO === 'off') await seedDemo(app.ctx);
  if (submissions === 0) return;
  const client = await findUserByEmail(app.ctx.db, 'client@demo.test');
  if (!client) throw new Error('The demo has no client.');
  await moveCredits(app.ctx, {
    userId: client.id,
    from: 'external',
    to: 'available',
    amount: submissions,
    cause: 'bench',
  });
}

/**
 * Answered single prompts of the demo client, in a data directory that no process uses. The
 * `long` ones have 200 kB and come last in an export.
 */
export async function storePrompts(directory: string, count: number, long = 0): Promise<void> {
  const config = parseConfig(readEnvironment({ DATA_DIR: directory }));
  await using database = await openDatabase(config.database);
  for (let first = 0; first < count; first += promptsPerStatement)
    await sql`
      insert into single_prompts (id, user_id, actor_id, template, rows, state, answer, asked_at)
      select 'prompt-' || n, id, id, repeat('What is it? ', 20) || n, 1, 'answered', repeat('It is this. ', 10), now()
      from users, generate_series(${first}::integer, ${Math.min(count, first + promptsPerStatement) - 1}::integer) n
      where email = 'client@demo.test'`.execute(database.db);
  await sql`
    insert into single_prompts (id, user_id, actor_id, template, rows, state, answer, asked_at)
    select 'prompt-of-200-kB-' || n, id, id, 'What is it?', 1, 'answered', repeat('x', 200000), now()
    from users, generate_series(1, ${long}::integer) n
    where email = 'client@demo.test'`.execute(database.db);
}

const promptsPerStatement = 20_000;

function startDemo(directory: string, env: Record<string, string>): Promise<App> {
  const settings = { PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'silent', CHAT_BASE_URL: 'demo' };
  return startApp(parseConfig(readEnvironment({ ...settings, DEMO: 'on', ...env })));
}

/**
 * Starts the product, of this checkout or another, on this data directory, which is deleted
 * afterwards unless `keeps` is set.
 */
export async function startProduct(
  env: Record<string, string>,
  directory: string,
  { keeps = false, checkout = root, reportsTurns = false } = {},
): Promise<Child> {
  const settings = settingsOf(directory, env);
  const options = { cwd: checkout, reportsTurns };
  const child = await startChild(startArguments(checkout), settings, /ready at (\S+)/, options);
  const end = async () => {
    await child[Symbol.asyncDispose]();
    if (!keeps) rmSync(directory, { recursive: true, force: true });
  };
  return { ...child, [Symbol.asyncDispose]: end };
}

const startUntilExitMilliseconds = 5 * 60_000;

/** Starts the product where it must refuse to start, and returns its exit code and error text. */
export function startUntilExit(
  env: Record<string, string>,
  directory: string,
): { code: number | null; message: string } {
  const { status, stderr } = spawnSync(process.execPath, startArguments(), {
    cwd: root,
    env: { ...process.env, ...settingsOf(directory, env) },
    encoding: 'utf8',
    // Also ends a product that starts although it must not.
    timeout: startUntilExitMilliseconds,
    killSignal: 'SIGKILL',
  });
  return { code: status, message: stderr.trim() };
}

function settingsOf(directory: string, env: Record<string, string>): Record<string, string> {
  const settings = { PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'warn' };
  return { ...settings, DEMO: 'on', DEMO_MODEL_PACE: 'off', CHAT_MODEL: 'fake', ...env };
}

/** The arguments of `npm start`, so that measurements run what users run. */
function startArguments(checkout = root): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').slice(1);
}
