import { parseArgs } from 'node:util';
import type { Output } from '@rowmill/contract';
import { signInDemo } from '../server/harness/api-client.ts';
import { median } from '../server/harness/figures.ts';
import { startOwnPostgres } from '../server/harness/own-postgres.ts';
import { prepareData, startProduct } from '../server/harness/processes.ts';

/**
 * The requests of the grid on a batch with answers: filters, searches, counts and sorts. Each round
 * looks for another text, so that no cached list is used.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    postgres: { type: 'boolean', default: false },
    /** Only the requests whose names contain it. */
    only: { type: 'string', default: '' },
  },
});
const rows = Number(values.rows);
const goalMilliseconds = rows > 100_000 ? 1_500 : 300;
const outputs: Output[] = [{ name: 'Kind', type: 'choice', options: ['oak', 'steel'] }, 'Remark'];

interface Round {
  /** A number that some rows contain. */
  text: string;
  number: number;
}
type Request = (round: Round) => object;
const where = (column: string, is: string, value = '') => ({ conditions: [{ column, is, value }] });
/** Conditions that every row passes, and that no earlier round had. */
const all = ({ number }: Round) => ({
  conditions: Array(number).fill({ column: 'row', is: 'filled', value: '' }),
});

const plain: Record<string, Request> = {
  'an answer contains': ({ text }) => where('answer 0', 'contains', `product ${text}`),
  'an answer contains, all rows': ({ number }) =>
    where('answer 0', 'contains', 'product'.slice(0, number + 1)),
  'an answer contains beyond ASCII': ({ text }) => where('answer 0', 'contains', `ü ${text}`),
  'an answer equals': ({ text }) => where('answer 0', 'equals', text),
  'an answer and a column': ({ text }) => ({
    conditions: [
      { column: 'answer 0', is: 'contains', value: text },
      { column: 'sheet 2', is: 'equals', value: 'Oak' },
    ],
  }),
  'a column contains': ({ text }) => where('sheet 1', 'contains', text),
  'any column contains': ({ text }) => ({ search: text }),
  'any column, with counts': ({ text }) => ({ search: `t ${text}`, count: 'sheet 2' }),
  'counts of a column': (round) => ({ ...all(round), count: 'sheet 2' }),
  'sorted by an answer': (round) => ({ ...all(round), sort: { column: 'answer 0' } }),
  'sorted by a column': (round) => ({ ...all(round), sort: { column: 'sheet 1' } }),
};
const split: Record<string, Request> = {
  'a split answer contains': ({ text }) => where('answer 1', 'contains', text),
  'counts of a list': (round) => ({ ...all(round), count: 'answer 0' }),
};

const stack = new AsyncDisposableStack();
const postgres = values.postgres ? stack.use(await startOwnPostgres()) : null;
const env = {
  CHAT_BASE_URL: 'demo',
  CHAT_MODEL: 'demo',
  CHAT_CONCURRENCY: '64',
  LOG_LEVEL: 'silent',
  ...(postgres ? { DEMO: 'off', DATABASE_URL: postgres.url } : {}),
};
const directory = await prepareData(env);
const server = stack.use(await startProduct(env, directory));
const client = await signInDemo(server.url);
const file = await client.upload(new Blob([...sheet()]));

await measure(plain, []);
await measure(split, outputs);
await stack.disposeAsync();
// The library of the PostgreSQL ends the process with 0 otherwise.
process.exit();

async function run(outputs: Output[]): Promise<string> {
  const id = await client.start(file, 'Describe {{Name}}', { outputs });
  return (await client.whenEnded(id, 500)).id;
}

async function measure(all: Record<string, Request>, outputs: Output[]): Promise<void> {
  const requests = Object.entries(all).filter(([name]) => name.includes(values.only));
  if (requests.length === 0) return;
  const id = await run(outputs);
  for (const [name, request] of requests) {
    const times = [];
    let found = 0;
    await client.metric('nodejs_eventloop_lag_max_seconds');
    const cpuBefore = await client.cpuSeconds();
    for (let number = 1; number <= Number(values.rounds); number++) {
      const started = performance.now();
      const { total } = await client.call('getRows', {
        id,
        limit: 100,
        ...request({ number, text: String(number * 11) }),
      });
      times.push(performance.now() - started);
      found = total;
    }
    const held = (await client.metric('nodejs_eventloop_lag_max_seconds')) * 1_000;
    const cpu = (((await client.cpuSeconds()) - cpuBefore) * 1_000) / times.length;
    const milliseconds = median(times);
    process.stdout.write(
      `${milliseconds > goalMilliseconds ? 'MISS' : 'ok  '}  ${name.padEnd(30)} median ${milliseconds.toFixed(0).padStart(5)} ms, at most ${Math.max(...times).toFixed(0)} ms; ${cpu.toFixed(0)} ms of CPU each; ${found} of ${rows} rows; main loop held ${held.toFixed(0)} ms at most\n`,
    );
  }
}

function* sheet(): Generator<string> {
  yield 'Id,Name,Material,Price,Remark\n';
  const remark = 'A remark that is long enough for a row of a hundred and fifty bytes.';
  for (let row = 0; row < rows; row++)
    yield `${row},Product ${row},${['Oak', 'Steel', 'Glass'][row % 3]},${row % 997}.50,"${remark}"\n`;
}
