import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  Caller,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../server/harness/product-process.ts';

/**
 * What a large result costs to give out: rows of some 10 KB, half of it in the sheet and half in the answer. The fake says
 * again what it is asked, so the product makes the result itself; then it starts anew and only gives it out, to a reader
 * that takes what comes and to one that rests in between.
 */
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, rests: { type: 'string', default: '5' } },
});
const rows = Number(values.rows);
const cellBytes = 5_000;
const sheetMegabytes = Math.ceil((rows * (cellBytes + 10)) / 1_000_000) + 1;
const limits = { UPLOAD_MAX_MB: String(sheetMegabytes), SHEET_MAX_ROWS: String(rows) };

const directory = await prepareData(rows);
const batch = await makeResult();
await using server = await startProduct({ CHAT_BASE_URL: 'demo', ...limits }, directory);
const reader = new Caller(server.url);
await reader.signIn('client@demo.test');
// What is loaded once is not what a download costs.
await (await reader.download(batch)).body?.cancel();
await wait(1_000);
report('a reader that takes what comes', await measure(0));
report(`a reader that rests ${values.rests} s half way`, await measure(Number(values.rests)));

async function makeResult(): Promise<string> {
  await using chat = await startFakeChatProcess();
  const settings = { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: '128', ...limits };
  await using product = await startProduct(settings, directory, { keeps: true });
  const client = new Caller(product.url);
  await client.signIn('client@demo.test');
  const file = await client.upload(sheet());
  const started = await client.call('askChatGpt', {
    questionWithVariable: '{{Text}}',
    query: { file, start: true },
  });
  const ended = await client.whenEnded(started.batch?.id ?? '', 1_000);
  if (ended.answered !== rows) throw new Error(`${ended.answered} of ${rows} rows are answered.`);
  return ended.id;
}

/** Text that hardly shrinks, for the database would keep it small. */
function sheet(): Blob {
  const line = (index: number) => {
    let state = index + 1;
    const words = Array.from({ length: cellBytes / 10 }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state.toString(36).padStart(9, '0').slice(-9);
    });
    return `${index},${words.join(' ')}\n`;
  };
  const pieces: Blob[] = [new Blob(['Number,Text\n'])];
  for (let index = 0; index < rows; index += 1_000) {
    pieces.push(
      new Blob([
        Array.from({ length: Math.min(1_000, rows - index) }, (_, inner) =>
          line(index + inner),
        ).join(''),
      ]),
    );
  }
  return new Blob(pieces);
}

interface Figures {
  bytes: number;
  seconds: number;
  growth: number;
  slowestCall: number;
}

async function measure(restSeconds: number): Promise<Figures> {
  const watch = watchServer();
  const started = performance.now();
  const { body } = await reader.download(batch);
  let bytes = 0;
  let lines = 0;
  let hasRested = restSeconds === 0;
  for await (const piece of body as ReadableStream<Uint8Array>) {
    bytes += piece.length;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
    if (hasRested || lines < rows / 2) continue;
    hasRested = true;
    await wait(restSeconds * 1_000);
  }
  const watched = await watch.end();
  if (lines !== rows + 1) throw new Error(`${lines} lines came of ${rows + 1}.`);
  return { bytes, seconds: watched.until / 1_000 - started / 1_000 - restSeconds, ...watched };
}

/** How far the memory of the server grows, and how long others wait for it. */
function watchServer() {
  const before = residentBytes();
  const seen = { growth: 0, slowestCall: 0, until: 0 };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const asked = performance.now();
      await (await fetch(`${server.url}/health/live`)).arrayBuffer();
      seen.slowestCall = Math.max(seen.slowestCall, performance.now() - asked);
      seen.growth = Math.max(seen.growth, residentBytes() - before);
      await wait(50);
    }
  })();
  const end = async () => {
    seen.until = performance.now();
    isOver = true;
    await watching;
    return seen;
  };
  return { end };
}

/** Of the server's process, as the system counts it. */
function residentBytes(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

function report(kind: string, { bytes, seconds, growth, slowestCall }: Figures): void {
  const figures = [
    `${(bytes / 1e6).toFixed(0)} MB, ${rows} rows in ${seconds.toFixed(1)} s`,
    `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`,
    `peak RSS growth ${(growth / 1e6).toFixed(0)} MB`,
    `slowest health call meanwhile ${slowestCall.toFixed(0)} ms`,
  ];
  process.stdout.write(`${kind}: ${figures.join('; ')}\n`);
}
