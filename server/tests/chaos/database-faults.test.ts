import { expect, it } from 'vitest';
import { databaseFaults, isMissed } from './database-faults.ts';

it('a product on PostgreSQL survives outages, cuts, freezes, kills, locks and crowds', {
  // Starts a PostgreSQL and two processes, and lets real time pass.
  timeout: 600_000,
}, async () => {
  const reports = await databaseFaults({ isShort: true });
  expect(reports.filter(isMissed)).toEqual([]);
});
