import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type AnswerOf,
  type Batch,
  type EndpointName,
  endpoints,
  type RequestOf,
} from '@rowmill/contract';
import { startApp } from '../src/app.ts';
import { parseConfig } from '../src/config/config.ts';
import { readEnvironment } from '../src/config/env.ts';
import { settleDemo } from '../src/demo.ts';
import { moveCredits } from '../src/domains/credits/move-credits.ts';
import { findUserByEmail } from '../src/domains/identity/store/users.ts';

const root = join(import.meta.dirname, '../..');

/** A process of ours that says on its first lines where it answers. */
export interface Child extends AsyncDisposable {
  process: ChildProcess;
  url: string;
}

/** Starts a program and waits for the line that names its address. */
export async function startChild(
  args: readonly string[],
  env: Record<string, string>,
  address: RegExp,
): Promise<Child> {
  const child = spawn(process.execPath, [...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const [, url] = address.exec(line) ?? [];
    if (!url) continue;
    child.stdout.resume();
    return { process: child, url, [Symbol.asyncDispose]: () => end(child) };
  }
  throw new Error(`${args.join(' ')} ended before it was ready.`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** As a power cut or the kernel would. */
export async function kill9({ process: child }: Child): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** What a fake provider has seen: every call, in the order in which they came. */
export async function callsAt(
  url: string,
): Promise<{ at: number; endedAt: number | null; prompt: string; status: number }[]> {
  return (await (await fetch(new URL('/log', url))).json()) as Awaited<ReturnType<typeof callsAt>>;
}

export async function behave(url: string, wishes: object): Promise<void> {
  await fetch(new URL('/behave', url), { method: 'POST', body: JSON.stringify(wishes) });
}

export function startFakeChatProcess(...options: string[]): Promise<Child> {
  return startChild(['fakes/chat/main.ts', '--port', '0', ...options], {}, /"url":\s*"([^"]+)"/);
}

/** A data directory in which the demo's client has submissions enough. */
export async function prepareData(
  submissions: number,
  env: Record<string, string> = {},
): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-bench-'));
  const settings = {
    PORT: '0',
    DATA_DIR: directory,
    DEMO: 'on',
    LOG_LEVEL: 'silent',
    CHAT_BASE_URL: 'demo',
    ...env,
  };
  await using app = await startApp(parseConfig(readEnvironment(settings)));
  // Where the demo is refused for its public passwords, as on PostgreSQL, its people are made all the same.
  if (settings.DEMO === 'off') await settleDemo(app.ctx);
  const client = await findUserByEmail(app.ctx.db, 'client@demo.test');
  if (!client) throw new Error('The demo has no client.');
  await moveCredits(app.ctx, {
    userId: client.id,
    from: 'world',
    to: 'available',
    amount: submissions,
    cause: 'bench',
  });
  return directory;
}

/** The whole product on the embedded database of this directory, which is deleted at the end unless it `keeps`. */
export async function startProduct(
  env: Record<string, string>,
  directory: string,
  { keeps = false } = {},
): Promise<Child> {
  const child = await startChild(startArguments(), settingsOf(directory, env), /ready at (\S+)/);
  const forget = async () => {
    await child[Symbol.asyncDispose]();
    if (!keeps) rmSync(directory, { recursive: true, force: true });
  };
  return { ...child, [Symbol.asyncDispose]: forget };
}

/** A start that comes to nothing: with which code it ends, and with which words. */
export function startInVain(
  env: Record<string, string>,
  directory: string,
): { code: number | null; words: string } {
  const settings = { ...process.env, ...settingsOf(directory, env) };
  const { status, stderr } = spawnSync(process.execPath, startArguments(), {
    cwd: root,
    env: settings,
    encoding: 'utf8',
  });
  return { code: status, words: stderr.trim() };
}

function settingsOf(directory: string, env: Record<string, string>): Record<string, string> {
  return {
    PORT: '0',
    DATA_DIR: directory,
    DEMO: 'on',
    LOG_LEVEL: 'warn',
    CHAT_MODEL: 'fake',
    ...env,
  };
}

/** As `npm start` does: what is measured is what runs. */
function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').slice(1);
}

/** Calls the product as the browser does. */
export class Caller {
  readonly #url: string;
  #token = '';

  constructor(url: string) {
    this.#url = url;
  }

  async signIn(email: string): Promise<void> {
    this.#token = (await this.call('login', { email, password: 'rowmill-demo' })).user_token;
  }

  async call<N extends EndpointName>(
    name: N,
    request: RequestOf<(typeof endpoints)[N]>,
  ): Promise<AnswerOf<(typeof endpoints)[N]>> {
    const response = await fetch(this.#url + endpoints[name].path, {
      method: 'POST',
      headers: { ...this.#signed(), 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    const body = (await response.json()) as { message?: string };
    if (!response.ok) throw new Error(`${name}: ${response.status} ${body.message}`);
    return body as AnswerOf<(typeof endpoints)[N]>;
  }

  async upload(content: Blob): Promise<string> {
    const response = await this.send(content);
    const answer = (await response.json()) as AnswerOf<typeof endpoints.saveFile> & {
      message?: string;
    };
    if (!response.ok) throw new Error(`saveFile: ${answer.message}`);
    return answer.file.id;
  }

  /** An upload may keep its length to itself. */
  async send(content: Blob, { saysLength = true } = {}): Promise<Response> {
    const form = new FormData();
    form.append('file', content, 'bench.csv');
    const { body, headers } = new Response(form);
    const wrapped = { ...this.#signed(), 'content-type': headers.get('content-type') ?? '' };
    const request = saysLength
      ? { headers: this.#signed(), body: form }
      : { headers: wrapped, body, duplex: 'half' as const };
    return fetch(this.#url + endpoints.saveFile.path, { method: 'POST', ...request });
  }

  async download(id: string, format: 'csv' | 'xlsx' = 'csv'): Promise<Response> {
    return fetch(this.#url + endpoints.downloadChatGptResponse.path, {
      method: 'POST',
      headers: { ...this.#signed(), 'content-type': 'application/json' },
      body: JSON.stringify({ file: id, format }),
    });
  }

  /** A stream that the server keeps open. */
  async open(path: string): Promise<ReadableStream<BufferSource>> {
    const { body } = await fetch(this.#url + path, { headers: this.#signed() });
    if (!body) throw new Error(`${path} has no body.`);
    return body as ReadableStream<BufferSource>;
  }

  async whenEnded(id: string, everyMilliseconds = 25): Promise<Batch> {
    for (;;) {
      const { batch } = await this.call('getBatch', { id });
      if (batch.ended_at && batch.held === 0) return batch;
      await new Promise((resolve) => setTimeout(resolve, everyMilliseconds));
    }
  }

  /** Seconds of CPU that the server has used, all of its threads together. */
  async cpuSeconds(): Promise<number> {
    return this.metric('process_cpu_seconds_total');
  }

  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.#url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  }

  #signed(): Record<string, string> {
    return this.#token ? { authorization: `Bearer ${this.#token}` } : {};
  }
}

/** The demo's client, signed in. */
export async function clientAt(url: string): Promise<Caller> {
  const caller = new Caller(url);
  await caller.signIn('client@demo.test');
  return caller;
}

/** Uploads so many rows and asks each of them. */
export async function startBatch(caller: Caller, rows: number): Promise<string> {
  const { batch } = await caller.call('askChatGpt', {
    questionWithVariable: 'Say {{Row}}',
    query: { file: await caller.upload(sheetOf(rows)), start: true },
  });
  return batch?.id ?? '';
}

export function sheetOf(rows: number): Blob {
  return new Blob([
    `Row\n${Array.from({ length: rows }, (_, index) => `row ${index}`).join('\n')}\n`,
  ]);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
