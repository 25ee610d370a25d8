import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Every benchmark is a file of this folder. Arguments after its name are its own. */
const benchmarks: Record<string, string> = {
  answers: 'first answer, stop and a new balance',
  api: 'lists of many batches and people, rows deep in a batch, many connected browsers',
  costs: 'the costs page of an installation with many prompts and batches',
  download: 'a large result file, for a reader that never stops and for one that pauses',
  import: 'the reader of CSV files alone',
  invariants: 'all ledger checks over a large database',
  marks: 'the marks of answers: how right, how fast, how much memory',
  memory: 'the peak of the server at its first and later starts, and after many rows',
  million: 'a sheet of a million rows: import, run, download',
  pacing: 'the product against a script of the official client, on providers with noise and limits',
  rows: 'filters, searches, counts and sorts of the rows of a batch',
  sheets: 'published collections of CSV files and workbooks, unpacked into a folder that is named',
  'sign-in-timing': 'whether response times reveal accounts',
  throughput: 'the whole product against a bare loop of calls, another version, or typed columns',
  webhooks: 'webhooks on a slow database',
  workers: 'one, two and four workers on one database',
};

const [name = '', ...rest] = process.argv.slice(2);
if (Object.hasOwn(benchmarks, name)) {
  // It has its own folder, because its material takes several files.
  const path = name === 'marks' ? 'marks/main.ts' : `${name}.ts`;
  const file = join(import.meta.dirname, path);
  const { status } = spawnSync(process.execPath, [file, ...rest], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
const lines = Object.entries(benchmarks).map(
  ([known, measured]) => `  ${known.padEnd(15)} ${measured}`,
);
process.stdout.write(`npm run bench -- NAME [OPTIONS]\n\n${lines.join('\n')}\n`);
process.exit(name === '' ? 0 : 2);
