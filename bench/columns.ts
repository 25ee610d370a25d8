import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Output } from '@rowmill/contract';
import { type ApiClient, sheetOf, signInDemoClient } from '../server/harness/api-client.ts';
import { median } from '../server/harness/median.ts';
import { isValidOddAnswer, oddColumns, wrapped } from '../server/harness/odd-answers.ts';
import {
  behave,
  callsAt,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../server/harness/processes.ts';

/**
 * Typed answer columns. Without options: their throughput beside that of plain text, in turns. With
 * `--strings FOLDER`, every file of the folder, such as the parsing tests of JSONTestSuite, is what
 * the model answers, alone and wrapped in other text.
 */
const { values } = parseArgs({
  options: {
    strings: { type: 'string' },
    rows: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    latency: { type: 'string', default: '50' },
    concurrency: { type: 'string', default: '64' },
  },
});

const typed: Output[] = [
  { name: 'score', type: 'integer' },
  { name: 'sure', type: 'boolean' },
  { name: 'kind', type: 'choice', options: ['praise', 'complaint', 'question'] },
];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function compareThroughput(): Promise<void> {
  await using chat = await startFakeChatProcess('--latency', values.latency);
  const ratios: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const plain = await rowsPerSecond(chat.url, []);
    const columns = await rowsPerSecond(chat.url, typed);
    ratios.push(columns / plain);
    say(
      `plain text ${Math.round(plain)} rows/s, three typed columns ${Math.round(columns)} rows/s`,
    );
  }
  say(`ratio ${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(3)).join(', ')})`);
}

async function rowsPerSecond(url: string, outputs: Output[]): Promise<number> {
  const rows = Number(values.rows);
  await using server = await startServer(url, rows);
  const client = await signInDemoClient(server.url);
  const started = Date.now();
  const ended = await run(client, sheetOf(rows), outputs);
  if (ended.answered !== rows) throw new Error(`${ended.answered} of ${rows} rows were answered.`);
  return (rows * 1_000) / (Date.parse(ended.ended_at ?? '') - started);
}

async function startServer(url: string, rows: number) {
  const settings = { CHAT_BASE_URL: url, CHAT_CONCURRENCY: values.concurrency };
  return startProduct(settings, await prepareData(rows));
}

async function run(client: ApiClient, sheet: Blob, outputs: Output[]) {
  const file = await client.upload(sheet);
  return client.whenEnded(await client.start(file, '{{Row}}', { outputs }), 500);
}

async function answerWithStrings(folder: string): Promise<void> {
  const strings = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const answers = strings.flatMap(wrapped);
  await using chat = await startFakeChatProcess();
  await behave(chat.url, { answers });
  await using server = await startServer(chat.url, answers.length);
  const client = await signInDemoClient(server.url);
  const lines = answers.map((_, index) => `[[answer ${index}]]`);
  const ended = await run(client, new Blob([`Row\n${lines.join('\n')}\n`]), oddColumns);
  const invalid = await countInvalid(client, ended.id);
  const calls = (await callsAt(chat.url)).map(({ prompt }) => prompt);
  const most = Math.max(...lines.map((line) => calls.filter((call) => call === line).length));
  say(
    `${strings.length} strings as ${answers.length} answers: ${ended.answered} answered, ${ended.failed} failed`,
  );
  say(
    `charged ${ended.charged}, ${invalid} answered without valid values, at most ${most} calls a row`,
  );
  const isAll = ended.answered + ended.failed === answers.length;
  if (!isAll || ended.charged !== ended.answered || invalid > 0 || most > 2) process.exitCode = 1;
}

async function countInvalid(client: ApiClient, id: string): Promise<number> {
  let invalid = 0;
  for (let start = 0; ; start += 100) {
    const { rows } = await client.call('getRows', { id, filter: 'answered', start, limit: 100 });
    if (rows.length === 0) return invalid;
    invalid += rows.filter(({ answer }) => !isValidOddAnswer(answer)).length;
  }
}

if (values.strings === undefined) await compareThroughput();
else if (existsSync(values.strings)) await answerWithStrings(values.strings);
else {
  process.stderr.write(`There is no folder ${values.strings}.\n`);
  process.exitCode = 1;
}
