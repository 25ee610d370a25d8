import { parseArgs } from 'node:util';
import { startOwnPostgres } from '../../harness/own-postgres.ts';
import { abuse, describeAbuse, isAbuseMissed } from './abuse/abuse.ts';
import { killDuringAttacks, missesOfAttacks } from './attack-kills.ts';
import { missesOfPoisonedRow, type PoisonReport, poisonedRow } from './crash-points.ts';
import { databaseFaults, describeFault, isMissed } from './database-faults.ts';
import { directoryGrowth } from './directory-growth.ts';
import { fullDisk, importsOnFullDisk, suddenlyFullDisk } from './full-disk.ts';
import { longestHolds } from './longest-holds.ts';
import { neighbours } from './neighbours.ts';
import { kills, resumption, storedRows, terminations } from './process-faults.ts';
import { severalMachines } from './several-machines.ts';
import { soak } from './soak.ts';
import type { CheckResult } from './totals.ts';

const rows = 500;
const checks: Record<string, () => Promise<CheckResult>> = {
  kills: () => kills(isShort ? { rows: 10_000, kills: 8 } : { rows: 60_000, kills: 50 }),
  resumption: () => resumption({ kills: isShort ? 3 : 10 }),
  'stored-rows': () => storedRows(isShort ? 100_000 : 1_000_000),
  'sigterm-2s': () => terminations({ latencyMilliseconds: 2_000 }),
  'sigterm-40s': () => terminations({ latencyMilliseconds: 40_000 }),
  'attack-kills': async () => {
    const kills = isShort ? 5 : 20;
    const report = await killDuringAttacks({ kills, lifeMilliseconds: 5_000, largeRows: 50_000 });
    return { line: JSON.stringify(report), misses: missesOfAttacks(report) };
  },
  'full-disk': () => fullDisk({ rows: 3_000 }),
  'full-disk-import': () => importsOnFullDisk({ rows: 500 }),
  'full-disk-sudden': () => suddenlyFullDisk({ rows: 3_000 }),
  'unreadable-row': async () =>
    describePoisonedRow(await poisonedRow({ rows, fault: 'unreadable' })),
  'poisoned-row-postgres': async () => {
    await using postgres = await startOwnPostgres();
    return describePoisonedRow(await poisonedRow({ rows, databaseUrl: postgres.url }));
  },
};

function describePoisonedRow(report: PoisonReport): CheckResult {
  return { line: JSON.stringify(report), misses: missesOfPoisonedRow(rows, report) };
}

/** Checks with bounds, each with the lines of its report. */
const suites: Record<string, () => Promise<string[]>> = {
  abuse: async () => {
    const reports = [
      ...(await abuse({ isShort, isPostgres: false, only })),
      ...(await abuse({ isShort, isPostgres: true, only })),
    ];
    return reports.filter(isAbuseMissed).map(describeAbuse);
  },
  database: async () =>
    (await databaseFaults({ isShort, only })).filter(isMissed).map(describeFault),
  holds: () => longestHolds({ isShort }),
  growth: () => directoryGrowth(isShort ? 20_000 : 100_000),
  machines: () => severalMachines({ isShort }),
  neighbours: async () => [
    ...(await neighbours({ isShort, isPostgres: false, only })),
    ...(await neighbours({ isShort, isPostgres: true, only })),
  ],
  soak: () => soak(isShort ? 2 : Number(values.minutes)),
};

const { values, positionals } = readArguments();
const isShort = values.short;
const only = values.only ? values.only.split(',') : [];
const unknown =
  positionals.find((name) => !Object.hasOwn(suites, name)) ??
  (positionals.length === 0 ? only.find((name) => !Object.hasOwn(checks, name)) : undefined);
if (values.help) showUsage(0);
if (unknown !== undefined) showUsage(2, `There is no ${unknown}.\n\n`);

for (const name of positionals) {
  const misses = (await suites[name]?.()) ?? [];
  process.stdout.write(`${name}: ${misses.length} misses\n${misses.join('\n')}\n`);
  if (misses.length > 0) process.exitCode = 1;
}
if (positionals.length > 0) process.exit();

for (const [name, check] of Object.entries(checks)) {
  if (only.length > 0 && !only.includes(name)) continue;
  const { line, misses } = await check().catch(notFinished);
  process.stdout.write(`${name}: ${line}\n`);
  if (misses.length === 0) continue;
  process.stdout.write(`${misses.length} misses\n${misses.join('\n')}\n`);
  process.exitCode = 1;
}
// Otherwise a package of PostgreSQL would replace the code by 0.
process.exit();

/** What never came counts as a miss, and the next check begins. */
function notFinished(error: Error): CheckResult {
  return { line: 'not finished', misses: [error.message] };
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        short: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        /** Of the soak. */
        minutes: { type: 'string', default: '60' },
      },
    });
  } catch (error) {
    return showUsage(2, `${(error as Error).message}\n\n`);
  }
}

function showUsage(status: number, problem = ''): never {
  process.stdout.write(`${problem}npm run chaos -- [NAME] [--short] [--only PART,PART]

Faults in real time, with a line of figures for each. --short takes minutes in all; without it
some checks take ten minutes. The exit code is 1 when a bound is missed.

Without a name, all of these run, or those in --only:
  ${Object.keys(checks).join(', ')}

Names:
  database    faults of PostgreSQL; one of them: --only dead
  abuse       one client against another; one attack: --only downloads
  neighbours  the provider of one client fails (an hour)
  holds       how long each call holds the event loop
  growth      of the embedded database
  machines    several of them
  soak        everything, for an hour or --minutes
`);
  process.exit(status);
}
