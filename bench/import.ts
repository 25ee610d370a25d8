import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { usualLimits } from '../server/harness/test-sheet.ts';
import { SheetImporter } from '../server/src/lib/csv/import/sheet-importer.ts';

const rows = 1_000_000;
const rowBytes = 150;
const kinds = {
  plain: (index: number) =>
    `${index},Anna Smith,anna@example.com,Write two sentences about number ${index},`,
  quoted: (index: number) =>
    `"${index}","Smith, Anna","anna@example.com","Say ""hello"" to\nnumber ${index}",`,
  'beyond ASCII': (index: number) =>
    `${index},Zoë Müller,zoe@example.com,Écris deux phrases sur le nº ${index} 日本,`,
};

const folder = await mkdtemp(join(tmpdir(), 'import-bench-'));
try {
  for (const [kind, line] of Object.entries(kinds)) print(kind, await measure(kind, line));
} finally {
  await rm(folder, { recursive: true });
}

async function measure(kind: string, line: (index: number) => string) {
  const source = join(folder, `${kind}.csv`);
  await pipeline(Readable.from(pieces(line)), createWriteStream(source));
  const { size } = await stat(source);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  delay.enable();
  const start = performance.now();
  const sheet = await new SheetImporter({ perPerson: 1 }).import('a person', {
    source,
    target: join(folder, 'rows.jsonl'),
    limits: usualLimits,
  });
  const seconds = (performance.now() - start) / 1000;
  delay.disable();
  clearInterval(watch);
  await rm(source);
  return {
    rows: sheet.rows,
    size,
    seconds,
    growth: peak - before,
    longest: delay.max / 1e6,
    late: delay.percentile(99) / 1e6,
  };
}

function* pieces(line: (index: number) => string): Generator<string> {
  yield 'id,name,email,prompt,note\n';
  for (let index = 0; index < rows; index += 1000) {
    let text = '';
    for (let inner = index; inner < index + 1000; inner += 1)
      text += `${line(inner).padEnd(rowBytes - 1, 'x')}\n`;
    yield text;
  }
}

function print(
  kind: string,
  { rows, size, seconds, growth, longest, late }: Awaited<ReturnType<typeof measure>>,
): void {
  const figures = [
    `${(size / 1e6).toFixed(0)} MB, ${rows} rows in ${seconds.toFixed(2)} s`,
    `${(size / 1e6 / seconds).toFixed(0)} MB/s`,
    `peak RSS growth ${(growth / 1e6).toFixed(0)} MB`,
    `main loop delay: longest ${longest.toFixed(1)} ms, p99 ${late.toFixed(1)} ms`,
  ];
  process.stdout.write(`${kind}: ${figures.join('; ')}\n`);
}
