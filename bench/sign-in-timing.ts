import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Whether the time of an answer tells a stranger that an address has an account: pairs of requests, one for an address
 * that is known and one for an address that is not, in an order of chance. With DATABASE_URL on that PostgreSQL database,
 * which should be empty; otherwise on an embedded one. One argument sets the number of pairs, a
 * second one the pause between requests.
 */
const pairs = Number(process.argv[2] ?? 500);
const warmUp = 20;
/** Between two requests, so that the mail which one of them causes is not measured with the next. */
const restMilliseconds = Number(process.argv[3] ?? 25);
const password = 'plain straw 47 winter';

const bodies = {
  login: (email: string) => ({ email, password: 'not the password' }),
  registerUser: (email: string) => ({ first_name: 'Ned', last_name: 'Newcomer', email, password }),
  sendResetLinkEmail: (email: string) => ({ email }),
  resendLink: (email: string) => ({ email }),
};
type Call = keyof typeof bodies;
const calls = Object.keys(bodies) as Call[];

const addressOf = (kind: 'known' | 'other', call: Call | 'all', n: number) =>
  `${kind}-${call}-${n}@example.test`;

const directory = mkdtempSync(join(tmpdir(), 'rowmill-timing-'));
const product = await startProduct();
try {
  for (let n = 0; n < pairs + warmUp; n++) await ask('registerUser', addressOf('known', 'all', n));
  const database = process.env.DATABASE_URL ? 'PostgreSQL' : 'embedded';
  tell(
    `${pairs} pairs a call, ${database} database, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`,
  );
  tell('| call | known, median ms | unknown, median ms | difference, ms | Mann-Whitney p |');
  tell('|---|---|---|---|---|');
  for (const call of calls) report(call, await measure(call));
} finally {
  product.child.kill('SIGTERM');
  await product.ended;
  rmSync(directory, { recursive: true, force: true });
}

interface Times {
  known: number[];
  other: number[];
}

async function measure(call: Call): Promise<Times> {
  const times: Times = { known: [], other: [] };
  for (let n = 0; n < pairs + warmUp; n++) {
    const order =
      Math.random() < 0.5 ? (['known', 'other'] as const) : (['other', 'known'] as const);
    for (const kind of order) {
      const email = kind === 'known' ? addressOf(kind, 'all', n) : addressOf(kind, call, n);
      const milliseconds = await ask(call, email);
      if (n >= warmUp) times[kind].push(milliseconds);
      await new Promise((resolve) => setTimeout(resolve, restMilliseconds));
    }
  }
  return times;
}

/** Every request comes from an address of its own, as far as the product can see, so that no throttle is reached. */
async function ask(call: Call, email: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() };
  const started = performance.now();
  const answer = await fetch(`${product.url}/api/${call}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(bodies[call](email)),
  });
  const text = await answer.text();
  const milliseconds = performance.now() - started;
  if (answer.status !== (call === 'login' ? 422 : 200))
    throw new Error(`${call} answered ${answer.status}: ${text}`);
  return milliseconds;
}

function nextAddress(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(3));
  return `10.${bytes.join('.')}`;
}

function report(call: Call, { known, other }: Times): void {
  const [a, b] = [median(known), median(other)];
  tell(
    `| ${call} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(a - b).toFixed(2)} | ${mannWhitney(known, other).toPrecision(2)} |`,
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/**
 * How likely a difference like this is by chance, from both sides. The normal approximation, which is good from twenty
 * values on; times of so many digits are never equal, so ties are not corrected for.
 */
function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const ranked = [
    ...a.map((value) => ({ value, isA: 1 })),
    ...b.map((value) => ({ value, isA: 0 })),
  ];
  ranked.sort((left, right) => left.value - right.value);
  const rankSum = ranked.reduce((sum, { isA }, index) => sum + isA * (index + 1), 0);
  const mean = (a.length * (a.length + b.length + 1)) / 2;
  const deviation = Math.sqrt((mean * b.length) / 6);
  return 2 * upperTail(Math.abs(rankSum - mean) / deviation);
}

/** Of the standard normal distribution, by Zelen and Severo's formula 26.2.17, exact to seven digits. */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const sum = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429].reduceRight(
    (rest, c) => t * (c + rest),
    0,
  );
  return (sum * Math.exp(-(z ** 2) / 2)) / Math.sqrt(2 * Math.PI);
}

async function startProduct() {
  const settings = {
    PORT: '0',
    DATA_DIR: directory,
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/src/main.ts')], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /is ready at (\S+)/.exec(line) ?? [];
    if (!url) continue;
    child.stdout.resume();
    return { child, ended, url };
  }
  throw new Error('The product did not start.');
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
