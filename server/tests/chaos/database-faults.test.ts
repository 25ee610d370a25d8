import { expect, it } from 'vitest';
import { boundsInTime, databaseFaults } from './database-faults.ts';

it('a product survives outages, cuts, freezes, kills, silence, locks, crowds and stepped clocks', {
  // Starts a PostgreSQL and two processes, and lets real time pass.
  timeout: 600_000,
}, async () => {
  const reports = await databaseFaults({ isShort: true });
  const problems = reports.flatMap((report) => report.problems);
  expect(problems.filter((problem) => !boundsInTime.includes(problem))).toEqual([]);
  // One fault on the embedded database, nine on PostgreSQL, and the end of the batch: none is
  // missing because a process had ended.
  expect(reports).toHaveLength(11);
});
