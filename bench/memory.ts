import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signInDemo, startBatch } from '../server/harness/api-client.ts';
import { startOwnPostgres } from '../server/harness/own-postgres.ts';
import { megabytesOf, prepareData, startProduct } from '../server/harness/processes.ts';
import { workbookOf } from '../server/harness/test-workbook.ts';

/**
 * The most memory that the server process ever has (VmHWM), against a bound; exits with 1 when one
 * is missed. Linux only.
 */
const { values } = parseArgs({
  options: {
    /** Of the last measurement, in its own database. 0 leaves it out. */
    rows: { type: 'string', default: '1000000' },
    /** Measures only the upload of a large workbook. */
    workbook: { type: 'boolean', default: false },
  },
});
/** The demo client has enough submissions for two such batches. */
const fewRows = 500;
const rows = Number(values.rows);
/** Optimised code and garbage come a few seconds after the start. */
const idleMilliseconds = 8_000;
const demoModel = { CHAT_BASE_URL: 'demo', CHAT_MODEL: 'demo', CHAT_CONCURRENCY: '64' };

await measureWorkbook();
if (!values.workbook) await measureStarts();
// The package that starts PostgreSQL ends a process with code 0 unless it ends itself.
process.exit();

async function measureStarts(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-memory-'));
  try {
    await measure('first start', { bound: 700, directory, rows: fewRows });
    await measure('later start', { bound: 450, directory, rows: 0 });
    await measure('later start, with a batch', { bound: 450, directory, rows: fewRows });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  {
    await using postgres = await startOwnPostgres();
    const env = { DEMO: 'off', DATABASE_URL: postgres.url };
    const place = await prepareData(env);
    await measure('on PostgreSQL', { bound: 250, directory: place, rows: fewRows, env });
    rmSync(place, { recursive: true });
  }
  if (rows > 0) {
    const place = await prepareData();
    await measure(`after ${rows} rows`, { bound: 500, directory: place, rows });
    rmSync(place, { recursive: true });
  }
}

interface Run {
  /** In MB. */
  bound: number;
  directory: string;
  rows: number;
  env?: Record<string, string>;
}

async function measure(name: string, run: Run): Promise<void> {
  await using server = await startProduct({ ...demoModel, ...run.env }, run.directory, {
    keeps: true,
  });
  const client = await signInDemo(server.url);
  if (run.rows > 0) await client.whenEnded(await startBatch(client, run.rows), 500);
  await wait(idleMilliseconds);
  const peak = megabytesOf(server, 'most');
  if (peak > run.bound) process.exitCode = 1;
  process.stdout.write(
    `${name.padEnd(26)} ${peak.toFixed(0).padStart(5)} MB, at most ${run.bound}\n`,
  );
}

/**
 * 100,000 rows of 20 columns, each cell a new text of the shared list: the worst case for memory.
 */
async function measureWorkbook(): Promise<void> {
  const [rows, columns, bound] = [100_000, 20, 512];
  const list = Array.from({ length: rows * columns }, (_, at) => `<si><t>${textOf(at)}</t></si>`);
  const lines = Array.from({ length: rows }, (_, row) => {
    const first = row * columns;
    const cells = Array.from({ length: columns }, (_, at) => `<c t="s"><v>${first + at}</v></c>`);
    return `<row>${cells.join('')}</row>`;
  });
  const sheets = { Sheet1: lines.join('') };
  const workbook = await workbookOf({ sheets, strings: list.join('') });
  await using server = await startProduct(demoModel, await prepareData());
  const client = await signInDemo(server.url);
  const start = performance.now();
  await client.upload(new Blob([new Uint8Array(workbook)]));
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const peak = megabytesOf(server, 'most');
  if (peak > bound) process.exitCode = 1;
  process.stdout.write(
    `workbook of ${rows} × ${columns}    ${peak.toFixed(0).padStart(5)} MB, at most ${bound}; read in ${seconds} s\n`,
  );
}

function textOf(at: number): string {
  return `A text of its own ${Math.imul(at + 1, 0x9e3779b1).toString(36)} ${at}`;
}
