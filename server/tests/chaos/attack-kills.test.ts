import { expect, it } from 'vitest';
import { attacks, killDuringAttacks } from './attack-kills.ts';

it('a server that is killed while one client does everything at once leaves nothing half done', {
  // Starts the product twice, which is slow on a busy machine.
  timeout: 600_000,
}, async () => {
  const report = await killDuringAttacks({ kills: 1, lifeMilliseconds: 4_000, largeRows: 10_000 });
  expect(report.left).toEqual({
    incompleteSheets: 0,
    temporaryFiles: 0,
    reserved: 0,
    unansweredKeys: 0,
    missingFiles: 0,
    orphans: 0,
    wronglyCharged: 0,
    brokenInvariants: [],
  });
  // Each was answered before a kill, so that the kills hit them.
  expect(Object.keys(report.answered).sort()).toEqual([...attacks].sort());
  expect(report.sheets).toBeGreaterThan(0);
  expect(report.batches).toBeGreaterThan(0);
});
