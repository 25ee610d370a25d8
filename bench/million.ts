import { createWriteStream, mkdtempSync, openAsBlob, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { signInDemo } from '../server/harness/api-client.ts';
import { prepareData, startProduct } from '../server/harness/processes.ts';

/**
 * A sheet of a million rows through the whole product with the demo model: import, run, download.
 * Reports the speed, the growth of the server's memory and the longest hold of its main loop.
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const megabyte = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'rowmill-million-'));

await using server = await startProduct(
  { CHAT_BASE_URL: 'demo', CHAT_MODEL: 'demo', CHAT_CONCURRENCY: '64' },
  await prepareData(),
);
const client = await signInDemo(server.url);
const file = await writeSheet(join(folder, 'million.csv'));
const size = statSync(file).size / megabyte;
const before = await memory();
const peak = watchMemory();

const started = performance.now();
const sheet = await client.upload(await openAsBlob(file));
const importSeconds = (performance.now() - started) / 1000;
say(
  `import of ${size.toFixed(0)} MB, ${rows} rows: ${(size / importSeconds).toFixed(0)} MB/s from the first byte to the answer`,
);
await report('import');

const runStarted = Date.now();
const ended = await client.whenEnded(await client.start(sheet, 'Describe {{Name}}'), 1_000);
say(
  `run: ${ended.answered} answered, ${Math.round(rows / ((Date.parse(ended.ended_at ?? '') - runStarted) / 1000))} rows/s`,
);
await report('run');

for (const format of ['csv', 'xlsx'] as const) {
  let bytes = 0;
  const downloadStarted = performance.now();
  const response = await client.download(ended.id, format);
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) bytes += chunk.length;
  const seconds = (performance.now() - downloadStarted) / 1000;
  say(
    `download as ${format}: ${(bytes / megabyte).toFixed(0)} MB, ${Math.round(rows / seconds)} rows/s`,
  );
  await report(`download as ${format}`);
}
peak.stop();
rmSync(folder, { recursive: true });

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function writeSheet(path: string): Promise<string> {
  const out = createWriteStream(path);
  out.write('Id,Name,Material,Price,Remark\n');
  for (let row = 0; row < rows; row++) {
    const remark =
      'A remark that is long enough for a row of a hundred and fifty bytes, with words in it, and a comma or two.';
    const isOpen = out.write(
      `${String(row).padStart(8, '0')},Product ${row},Oak and steel,${row % 997}.50,"${remark}"\n`,
    );
    if (!isOpen) await new Promise<void>((resolve) => out.once('drain', resolve));
  }
  out.end();
  await finished(out);
  return path;
}

async function memory(): Promise<number> {
  return (await client.metric('process_resident_memory_bytes')) / megabyte;
}

/** Samples the peak twice a second. */
function watchMemory() {
  const seen = { most: 0, stop: () => clearInterval(timer) };
  const timer = setInterval(async () => {
    seen.most = Math.max(seen.most, await memory());
  }, 500);
  return seen;
}

async function report(phase: string): Promise<void> {
  const lag = (await client.metric('nodejs_eventloop_lag_max_seconds')) * 1000;
  say(
    `  memory grew by ${Math.round(peak.most - before)} MB at most until the end of the ${phase}; main loop held ${lag.toFixed(0)} ms at most`,
  );
}
