import { parseArgs } from 'node:util';
import { startOwnPostgres } from '../../harness/own-postgres.ts';
import { deathsAtPoints, describeDeaths, describePoison, poisonedRow } from './crash-points.ts';
import { fullDisk, importsOnFullDisk, suddenlyFullDisk } from './full-disk.ts';
import { importKills, manyKills, resumption, storedRows, terminations } from './process-faults.ts';
import { limitedProvider, outage } from './provider-faults.ts';

/** Faults in real time, each with a line of figures. `--short` takes minutes, without it some of them take longer. */
const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const isShort = values.short;

const checks: Record<string, () => Promise<string>> = {
  A1: () => manyKills(isShort ? { rows: 2_000, kills: 8 } : { rows: 20_000, kills: 50 }),
  A3: () => resumption({ kills: isShort ? 3 : 10 }),
  'A3-stored': () => storedRows(isShort ? 100_000 : 1_000_000),
  'A4-2s': () => terminations({ latencyMilliseconds: 2_000 }),
  'A4-40s': () => terminations({ latencyMilliseconds: 40_000 }),
  A6: async () => {
    const reports = Object.entries(await deathsAtPoints({ rows: 500 }));
    return reports
      .map(([point, report]) => `${point}: ${describeDeaths(report)}`)
      .join(`\n${' '.repeat(11)}`);
  },
  A9: () => importKills({ rows: 50_000, kills: isShort ? 4 : 20 }),
  A10: () => fullDisk({ rows: 3_000 }),
  'A10-import': () => importsOnFullDisk({ rows: 500 }),
  'A10-sudden': () => suddenlyFullDisk({ rows: 3_000 }),
  D3: () => limitedProvider({ perSecond: 5, seconds: isShort ? 45 : 80 }),
  D5: () => outage({ seconds: isShort ? 20 : 600 }),
  D9: async () => describePoison(await poisonedRow({ rows: 500 })),
  'D9-postgres': async () => {
    await using postgres = await startOwnPostgres();
    return describePoison(await poisonedRow({ rows: 500, databaseUrl: postgres.url }));
  },
};

const wanted = values.only ? values.only.split(',') : Object.keys(checks);
for (const name of wanted) {
  const check = checks[name];
  if (!check) throw new Error(`There is no ${name}; there are ${Object.keys(checks).join(', ')}.`);
  process.stdout.write(`${name.padEnd(10)} ${await check()}\n`);
}
