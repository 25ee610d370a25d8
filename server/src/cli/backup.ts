import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, parseConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { openForCopy, refusedByDatabase } from '../db/connect.ts';
import { CopyFailed } from '../db/embedded/running-copy.ts';
import { countOtherConnections } from '../db/table-files.ts';
import { StartRefused } from '../lib/start-refused.ts';
import { backUp, backUpOutside, isHeld } from './backup/backup.ts';
import { BackupRefused, type Manifest } from './backup/manifest.ts';
import { restore } from './backup/restore.ts';

const usage = `Usage:
  npm run backup -- FOLDER      writes database and files of these settings into a new folder
                                outside the data directory
  npm run restore -- FOLDER     reads them into the empty place of these settings
  npm run move -- --to TARGET   copies them to an empty PostgreSQL database (postgres://…) or data
                                directory; stop Rowmill first. For PostgreSQL the files stay where
                                they are, for a data directory they are copied into it
`;

/** Within the data directory, which may hold what is not ours. */
const copyName = 'rowmill-move-';

/** `npm run backup`, `restore` and `move`. */
try {
  const [command, ...rest] = process.argv.slice(2);
  const { folder, to, isHelp } = readArguments(rest);
  if (isHelp) process.stdout.write(usage);
  else if (command === 'backup' && folder)
    report('Backed up', await backUpOutside(readConfig(), folder));
  else if (command === 'restore' && folder) report('Restored', await restore(folder, readConfig()));
  else if (command === 'move' && to) report('Moved', await move(readConfig(), to));
  else showUsage();
} catch (error) {
  const refusal = refusedByDatabase(error);
  const isExpected =
    error instanceof BackupRefused ||
    error instanceof CopyFailed ||
    error instanceof StartRefused ||
    (error instanceof Error && 'code' in error);
  const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
  process.stderr.write(`${refusal?.message ?? text}\n`);
  process.exitCode = 1;
}

/** Nothing is wanted of arguments that are not understood. */
function readArguments(args: string[]): { folder?: string; to?: string; isHelp?: boolean } {
  const options = { to: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [folder, ...more] = positionals;
    // The rest of a path with a space, without quotes around it.
    if (more.length > 0) return {};
    return { ...(folder && { folder: resolve(folder) }), to: values.to, isHelp: values.help };
  } catch {
    return {};
  }
}

function readConfig(): Config {
  return parseConfig(readEnvironment());
}

function showUsage(): void {
  process.stderr.write(usage);
  process.exitCode = 2;
}

async function move(from: Config, target: string): Promise<Manifest> {
  const isPostgres = /^postgres(ql)?:/.test(target);
  // A password may follow.
  if (!isPostgres && target.includes('://'))
    throw new BackupRefused(
      `--to begins with ${target.split(':')[0]}:, but an address must begin with postgres://.`,
    );
  await assertStopped(from);
  const to = parseConfig(
    readEnvironment(
      isPostgres
        ? { DATABASE_URL: target, DATA_DIR: from.dataDirectory, DEMO: 'off' }
        : { DATA_DIR: target },
    ),
  );
  // The folder of the program may be read-only.
  mkdirSync(from.dataDirectory, { recursive: true, mode: 0o700 });
  // A move that was killed has left its copy of everything.
  removeCopies(from.dataDirectory);
  const folder = join(mkdtempSync(join(from.dataDirectory, copyName)), 'backup');
  try {
    await backUp(from, folder);
    return await restore(folder, to, { withFiles: !isPostgres });
  } finally {
    removeCopies(from.dataDirectory);
  }
}

function removeCopies(directory: string): void {
  for (const name of globSync(`${copyName}*`, { cwd: directory }))
    rmSync(join(directory, name), { recursive: true, force: true });
}

/** What a running product stores during the move would be lost. */
async function assertStopped({ database }: Config): Promise<void> {
  const isRunning =
    database.kind === 'embedded'
      ? isHeld(database.directory ?? '')
      : (await countOthers(database)) > 0;
  if (isRunning)
    throw new BackupRefused('Something still uses the database. Stop every Rowmill process first.');
}

async function countOthers(config: Config['database']): Promise<number> {
  await using database = await openForCopy(config);
  return await countOtherConnections(database.db);
}

function report(what: string, { tables, files, isDemo }: Manifest): void {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `${what} ${rows} rows of ${Object.keys(tables).length} tables and ${files.count} files (${(files.bytes / 1_000_000).toFixed(1)} MB). All ledger checks pass.\n`,
  );
  if (isDemo) process.stdout.write('This is the data of a demo: only a demo starts with it.\n');
}
