import { mkdtempSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../server/harness/figures.ts';
import { startProduct } from '../server/harness/processes.ts';

/**
 * Does the response time reveal whether an address has an account? Sends pairs of requests in
 * random order, one for a known and one for an unknown address. Uses the empty PostgreSQL database
 * of DATABASE_URL, or an embedded one. Arguments: the number of pairs, and the pause between
 * requests in ms.
 */
const pairs = Number(process.argv[2] ?? 500);
const warmUp = 20;
/** Keeps the email that one request causes out of the time of the next. */
const pauseMilliseconds = Number(process.argv[3] ?? 25);
const password = 'plain straw 47 winter';

const bodies = {
  login: (email: string) => ({ email, password: 'not the password' }),
  registerUser: (email: string) => ({ first_name: 'Ned', last_name: 'Newcomer', email, password }),
  sendResetLinkEmail: (email: string) => ({ email }),
  resendLink: (email: string) => ({ email }),
};
type Call = keyof typeof bodies;
const calls = Object.keys(bodies) as Call[];

const emailOf = (kind: 'known' | 'other', call: Call | 'all', n: number) =>
  `${kind}-${call}-${n}@example.test`;

await using product = await startProduct(
  {
    CHAT_BASE_URL: 'demo',
    CHAT_MODEL: '',
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    TRUSTED_PROXIES: '127.0.0.1',
  },
  mkdtempSync(join(tmpdir(), 'rowmill-timing-')),
);
for (let n = 0; n < pairs + warmUp; n++) await send('registerUser', emailOf('known', 'all', n));
const database = process.env.DATABASE_URL ? 'PostgreSQL' : 'embedded';
say(
  `${pairs} pairs per call, ${database} database, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`,
);
say('| call | known, median ms | unknown, median ms | difference, ms | Mann-Whitney p |');
say('|---|---|---|---|---|');
for (const call of calls) report(call, await measure(call));

async function measure(call: Call) {
  const times: Record<'known' | 'other', number[]> = { known: [], other: [] };
  for (let n = 0; n < pairs + warmUp; n++) {
    const order =
      Math.random() < 0.5 ? (['known', 'other'] as const) : (['other', 'known'] as const);
    for (const kind of order) {
      const email = kind === 'known' ? emailOf(kind, 'all', n) : emailOf(kind, call, n);
      const milliseconds = await send(call, email);
      if (n >= warmUp) times[kind].push(milliseconds);
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    }
  }
  return times;
}

/** Each request claims its own IP address, so that no rate limit is reached. */
async function send(call: Call, email: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': randomAddress() };
  const started = performance.now();
  const response = await fetch(`${product.url}/api/${call}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(bodies[call](email)),
  });
  const text = await response.text();
  const milliseconds = performance.now() - started;
  if (response.status !== (call === 'login' ? 422 : 200))
    throw new Error(`${call} answered ${response.status}: ${text}`);
  return milliseconds;
}

function randomAddress(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(3));
  return `10.${bytes.join('.')}`;
}

function report(call: Call, { known, other }: Awaited<ReturnType<typeof measure>>): void {
  const [a, b] = [median(known), median(other)];
  say(
    `| ${call} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(a - b).toFixed(2)} | ${mannWhitney(known, other).toPrecision(2)} |`,
  );
}

/**
 * The two-sided p-value by the normal approximation, which is good from twenty values on. Ties are
 * not corrected, because such precise times are never equal.
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

/** The standard normal distribution by Zelen and Severo's formula 26.2.17, to seven digits. */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const sum = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429].reduceRight(
    (rest, c) => t * (c + rest),
    0,
  );
  return (sum * Math.exp(-(z ** 2) / 2)) / Math.sqrt(2 * Math.PI);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
