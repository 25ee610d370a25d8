import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signInDemo } from '../server/harness/api-client.ts';
import {
  megabytesOf,
  prepareData,
  startFakeChatProcess,
  startProduct,
} from '../server/harness/processes.ts';

/**
 * The cost of downloading a large result: rows of about 10 KB, half in the sheet and half in the
 * answer. The fake provider echoes its prompts, so the product makes the result itself. It is then
 * restarted and serves a reader that never stops and one that pauses half way.
 */
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, pause: { type: 'string', default: '5' } },
});
const rows = Number(values.rows);
const cellBytes = 5_000;
const sheetMegabytes = Math.ceil((rows * (cellBytes + 10)) / 1_000_000) + 1;
const limits = { UPLOAD_MAX_MB: String(sheetMegabytes), SHEET_MAX_ROWS: String(rows) };

const directory = await prepareData();
const batch = await makeResult();
await using server = await startProduct({ CHAT_BASE_URL: 'demo', ...limits }, directory);
const reader = await signInDemo(server.url);
// The first download also loads code, which is not measured.
await (await reader.download(batch)).body?.cancel();
await wait(1_000);
report('a reader that never stops', await measure(0));
report(`a reader that pauses ${values.pause} s half way`, await measure(Number(values.pause)));

async function makeResult(): Promise<string> {
  await using chat = await startFakeChatProcess();
  const settings = { CHAT_BASE_URL: chat.url, CHAT_CONCURRENCY: '128', ...limits };
  await using product = await startProduct(settings, directory, { keeps: true });
  const client = await signInDemo(product.url);
  const file = await client.upload(sheet());
  const ended = await client.whenEnded(await client.start(file, '{{Text}}'), 1_000);
  if (ended.answered !== rows) throw new Error(`${ended.answered} of ${rows} rows were answered.`);
  return ended.id;
}

/** Text that hardly compresses, because the database compresses long values. */
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

type Figures = Awaited<ReturnType<typeof measure>>;

async function measure(pauseSeconds: number) {
  const watch = watchServer();
  const started = performance.now();
  const { body } = await reader.download(batch);
  let bytes = 0;
  let lines = 0;
  let hasPaused = pauseSeconds === 0;
  for await (const piece of body as ReadableStream<Uint8Array>) {
    bytes += piece.length;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
    if (hasPaused || lines < rows / 2) continue;
    hasPaused = true;
    await wait(pauseSeconds * 1_000);
  }
  const watched = await watch.end();
  if (lines !== rows + 1) throw new Error(`${lines} lines arrived instead of ${rows + 1}.`);
  return { bytes, seconds: watched.until / 1_000 - started / 1_000 - pauseSeconds, ...watched };
}

/** Samples the growth of the server's memory and the slowest health call. */
function watchServer() {
  const before = megabytesOf(server, 'now');
  const seen = { growth: 0, slowestCall: 0, until: 0 };
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      const sent = performance.now();
      await (await fetch(`${server.url}/health/live`)).arrayBuffer();
      seen.slowestCall = Math.max(seen.slowestCall, performance.now() - sent);
      seen.growth = Math.max(seen.growth, megabytesOf(server, 'now') - before);
      await wait(50);
    }
  })();
  const end = async () => {
    seen.until = performance.now();
    isDone = true;
    await watching;
    return seen;
  };
  return { end };
}

function report(kind: string, { bytes, seconds, growth, slowestCall }: Figures): void {
  const figures = [
    `${(bytes / 1e6).toFixed(0)} MB, ${rows} rows in ${seconds.toFixed(1)} s`,
    `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`,
    `peak RSS growth ${growth.toFixed(0)} MB`,
    `slowest health call meanwhile ${slowestCall.toFixed(0)} ms`,
  ];
  process.stdout.write(`${kind}: ${figures.join('; ')}\n`);
}
