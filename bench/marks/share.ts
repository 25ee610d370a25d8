import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ApiClient, signInDemo } from '../../server/harness/api-client.ts';
import { median } from '../../server/harness/median.ts';
import {
  behave,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../../server/harness/processes.ts';
import { answerOf } from './cost.ts';
import type { Material } from './material.ts';

interface Options {
  rows: number;
  rounds: number;
  concurrency: number;
  /** Of the provider. Without it the figure is one of CPU only. */
  latency: number;
}

interface Round {
  rowsPerSecond: number;
  microseconds: number;
  marked: number;
}

const warmUp = 2;
/** Waits until a signal has arrived. */
const signalMilliseconds = 200;

/**
 * What marks cost the whole product. One process runs batches with and without marks in turns and
 * changes the order. So other work on the machine, the growth of the database and compiled code are
 * the same for both.
 */
export async function measureShare(
  material: Material,
  { rows, rounds, concurrency, latency }: Options,
): Promise<string[]> {
  await using chat = await startFakeChatProcess();
  const sentences = material.sentences.en ?? [];
  const answers = Array.from({ length: rows }, (_, row) => answerOf(sentences, row));
  await behave(chat.url, { answers, latency });
  const preload = pathToFileURL(join(import.meta.dirname, 'switch.ts')).href;
  const settings = {
    CHAT_BASE_URL: chat.url,
    CHAT_CONCURRENCY: `${concurrency}`,
    NODE_OPTIONS: `--import=${preload}`,
  };
  const all = rows * (2 * rounds + warmUp);
  await using server = await startProduct(settings, await prepareData(all));
  const client = await signInDemo(server.url);
  const file = await client.upload(sheetOf(rows));
  for (let run = 0; run < warmUp; run++) await runBatch(client, file, rows);
  let isOn = true;
  const turn = async (on: boolean) => {
    if (isOn !== on) server.process.kill('SIGUSR2');
    isOn = on;
    await new Promise((resolve) => setTimeout(resolve, signalMilliseconds));
    return runBatch(client, file, rows);
  };
  const pairs: { on: Round; off: Round }[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = await turn(round % 2 === 0);
    const second = await turn(round % 2 !== 0);
    pairs.push(round % 2 === 0 ? { on: first, off: second } : { on: second, off: first });
  }
  return describe(pairs, { rows, rounds, concurrency, latency });
}

const sheetOf = (rows: number) =>
  new Blob([`Row\n${Array.from({ length: rows }, (_, row) => `[[answer ${row}]]\n`).join('')}`]);

async function runBatch(client: ApiClient, file: string, rows: number): Promise<Round> {
  const before = await client.cpuSeconds();
  const id = await client.start(file, 'Describe the hotel in two or three sentences. {{Row}}');
  const ended = await client.whenEnded(id, 250);
  if (ended.answered !== rows) throw new Error(`${ended.answered} of ${rows} rows were answered.`);
  const seconds = (Date.parse(ended.ended_at ?? '') - Date.parse(ended.created_at)) / 1_000;
  return {
    rowsPerSecond: rows / seconds,
    microseconds: (((await client.cpuSeconds()) - before) * 1_000_000) / rows,
    marked: ended.marked,
  };
}

function describe(pairs: readonly { on: Round; off: Round }[], options: Options): string[] {
  const figure = (of: 'on' | 'off', what: keyof Round) =>
    median(pairs.map((pair) => pair[of][what]));
  const ratios = pairs.map(({ on, off }) => on.rowsPerSecond / off.rowsPerSecond);
  const costs = pairs.map(({ on, off }) => on.microseconds - off.microseconds);
  const line = (of: 'on' | 'off') =>
    `${Math.round(figure(of, 'rowsPerSecond'))} rows/s, ${figure(of, 'microseconds').toFixed(0)} µs of CPU a row, ${figure(of, 'marked')} rows marked`;
  const share = (100 * median(costs)) / figure('off', 'microseconds');
  return [
    `${options.rounds} rounds of ${options.rows} rows, ${options.concurrency} in flight of ${options.latency} ms each, in one process in turns (median)`,
    `  with marks     ${line('on')}`,
    `  without marks  ${line('off')}`,
    `  marks cost     ${median(costs).toFixed(0)} µs of CPU a row (${share.toFixed(1)}%); ratio of rows a second ${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
  ];
}
