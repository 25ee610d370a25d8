import { can, type Endpoint, type EndpointName, endpoints } from '@rowmill/contract';
import { type ApiClient, signInDemo } from '../../harness/api-client.ts';
import { longestTurn, prepareData, startProduct } from '../../harness/processes.ts';
import { callTable } from '../authority/call-table.ts';

/**
 * A hold is a turn of the event loop, which answers no other request meanwhile. Work yields every
 * 5 ms. Only its CPU time counts, so other work of the machine does not matter.
 */
const holdAtMostMilliseconds = 50;
/** The shortest of these counts: the others compile code, collect garbage or share their core. */
const attempts = 6;
/** Writing these as JSON takes a usual core this long, once the code is compiled. */
const texts = JSON.parse(JSON.stringify(Array.from({ length: 40 }, () => 'long '.repeat(20_000))));
const usualMilliseconds = 20;

/** They end what the other calls need. */
const left: readonly EndpointName[] = ['logout', 'deleteFile', 'deleteBatch', 'events', 'saveFile'];

interface Call {
  name: string;
  /** Returns the status of the answer. */
  send(): Promise<number>;
  /** A refused request would do no work. */
  expected?: number;
}

/**
 * Every call of the contract, and the largest requests and answers that the limits allow, one after
 * another on the embedded database: how long each holds the event loop.
 */
export async function longestHolds({ isShort }: { isShort: boolean }): Promise<string[]> {
  const env = { CHAT_BASE_URL: 'demo', LOG_LEVEL: 'silent', CHAT_CONCURRENCY: '64' };
  const share = isShort ? 0.1 : 1;
  const directory = await prepareData(env);
  await using server = await startProduct(env, directory, { reportsTurns: true });
  const people = await signInAll(server.url);
  // The demo model and the first use of the code.
  await fetch(new URL('/openapi.json', server.url)).then((answer) => answer.text());
  const stored = await store(people.client, share);
  const calls = [
    ...(await everyCall(people, stored)),
    ...largestCalls(people.client, stored, share),
  ];
  const holds: { name: string; hold: number }[] = [];
  for (const { name, send, expected } of calls) {
    let hold = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < attempts && hold > holdAtMostMilliseconds; attempt++) {
      await longestTurn(server);
      const status = await send();
      if (expected && status !== expected) throw new Error(`${name} got ${status}.`);
      const longest = await longestTurn(server);
      hold = Math.min(hold, longest / (longest > holdAtMostMilliseconds ? slowness() : 1));
    }
    holds.push({ name, hold });
  }
  holds.sort((one, other) => other.hold - one.hold);
  const describe = ({ name, hold }: { name: string; hold: number }) =>
    `${name}: ${Math.round(hold)} ms`;
  process.stdout.write(`${holds.length} calls, the longest holds:\n`);
  process.stdout.write(`${holds.slice(0, 12).map(describe).join('\n')}\n`);
  return holds.filter(({ hold }) => hold > holdAtMostMilliseconds).map(describe);
}

/** How many times as long as usual a core takes for the same work at the moment, at least 1. */
function slowness(): number {
  const times = Array.from({ length: 6 }, () => {
    const before = process.threadCpuUsage();
    Buffer.from(JSON.stringify(texts));
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...times) / usualMilliseconds);
}

type People = Record<'client' | 'admin' | 'operator', ApiClient>;

async function signInAll(url: string): Promise<People> {
  const [client, admin, operator] = await Promise.all(
    ['client', 'admin', 'operator'].map((name) => signInDemo(url, name)),
  );
  return { client, admin, operator } as People;
}

const longName = 'a long name of a column '.repeat(40);

/** Shorter forms have a share of the rows. */
interface Stored {
  /** Sheets: 100 rows of 200 kB, 200 columns with long names, 100,000 rows. */
  long: string;
  wide: string;
  tall: string;
  longBatch: string;
  /** A batch of 20,000 rows, and its sheet. */
  sheet: string;
  batch: string;
}

async function store(client: ApiClient, share: number): Promise<Stored> {
  const long = await client.upload(tableOf(100, 2, 'long '.repeat(20_000)));
  const wide = await client.upload(tableOf(1_000 * share, 200, 'x', longName));
  const tall = await client.upload(tableOf(100_000 * share, 10, 'cell'));
  const sheet = await client.upload(tableOf(20_000 * share, 20, 'cell'));
  const longBatch = await client.start(long, '{{c0}}');
  const batch = await client.start(sheet, 'Say {{c0}}');
  for (const id of [longBatch, batch]) await client.whenEnded(id, 100);
  return { long, wide, tall, longBatch, sheet, batch };
}

/** Each as a person who may make it. */
async function everyCall(
  { client, admin, operator }: People,
  { sheet, batch }: Stored,
): Promise<Call[]> {
  const { users } = await admin.call('userList', { start: 0, limit: 1 });
  const names = (Object.keys(endpoints) as EndpointName[]).filter((name) => !left.includes(name));
  return names.map((name) => {
    const { requires }: Endpoint = endpoints[name];
    const isAllowed = (role: number) => !requires || can(role, requires);
    const person = callTable[name].target
      ? admin
      : ([client, admin, operator].find((_, role) => isAllowed(role + 1)) ?? operator);
    const own = { id: users[0]?.id ?? '', sheet, batch };
    return { name, send: () => person.status(name, callTable[name].ask(own) as never) };
  });
}

function largestCalls(
  client: ApiClient,
  { long, wide, tall, longBatch, batch }: Stored,
  share: number,
): Call[] {
  const variables = Array.from({ length: 100 }, (_, column) => `{{${longName}c${column}}}`).join(
    '',
  );
  const ask = (question: string, query: object) => () =>
    client.status('askChatGpt', { questionWithVariable: question, query } as never);
  const rows = (id: string, more: object) => () =>
    client.status('getRows', { id, count: 'answer 0', limit: 100, ...more } as never);
  const upload = (content: Blob) => async () => (await client.send(content)).status;
  const download = (id: string, format: 'csv' | 'xlsx') => async () => {
    const response = await client.download(id, format);
    await response.arrayBuffer();
    return response.status;
  };
  const sorted = { sort: { column: 'sheet 0', order: 'descending' } };
  const conditions = Array.from({ length: 8 }, (_, index) => ({
    column: 'sheet 1',
    is: 'contains',
    value: `${'%_e'.repeat(20)} ${index}`,
  }));
  const calls: Call[] = [
    { name: 'a page of 100 rows of 200 kB', send: rows(longBatch, {}) },
    { name: 'the same sorted', send: rows(longBatch, sorted) },
    { name: '20,000 rows sorted', send: rows(batch, sorted) },
    { name: '20,000 rows with eight conditions', send: rows(batch, { conditions }) },
    { name: 'a sheet of rows of 200 kB', send: () => client.status('getFile', { id: long }) },
    { name: 'a sheet of 200 long names', send: () => client.status('getFile', { id: wide }) },
    { name: 'a quote of rows of 200 kB', send: ask('{{c0}}', { file: long, quote: true }) },
    { name: 'a quote of 100,000 rows', send: ask('{{c0}}', { file: tall, quote: true }) },
    {
      name: 'a prompt of variables',
      send: ask(variables, { file: wide, quote: true }),
    },
    { name: 'a prompt of braces', send: ask('{{'.repeat(50_000), { file: wide, quote: true }) },
    { name: 'a preview of rows of 200 kB', send: ask('{{c0}}', { file: long, preview: 5 }) },
    {
      name: '1,000 answers judged',
      send: () =>
        client.status('judgeAnswers', {
          id: batch,
          rows: Array.from({ length: 1_000 }, (_, row) => row),
          note: 'n'.repeat(400),
        }),
    },
    { name: 'deep JSON', send: ask('x', { file: nested(1_000) }), expected: 422 },
    {
      name: 'an upload of commas',
      send: upload(new Blob([','.repeat(20_000_000)])),
      expected: 413,
    },
    { name: 'an upload of 20 MB', send: upload(tableOf(100_000 * share, 50, 'cell')) },
    { name: 'a CSV of 20,000 rows', send: download(batch, 'csv') },
    { name: 'a workbook of 20,000 rows', send: download(batch, 'xlsx') },
    { name: 'a CSV of rows of 200 kB', send: download(longBatch, 'csv') },
    {
      name: 'an export of own data',
      send: async () => ((await client.exportedBytes()) > 0 ? 200 : 0),
    },
  ];
  return calls.map((call) => ({ expected: 200, ...call }));
}

function tableOf(rows: number, columns: number, cell: string, prefix = ''): Blob {
  const header = Array.from({ length: columns }, (_, column) => `${prefix}c${column}`).join(',');
  const cells = Array.from({ length: columns }, () => cell).join(',');
  const lines = Array.from({ length: rows }, (_, row) => `${cells.slice(0, -1)}${row}\n`);
  return new Blob([`${header}\n`, ...lines]);
}

function nested(depth: number): unknown {
  return JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
}
