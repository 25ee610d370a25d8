import { expect, it } from 'vitest';
import { abuse, boundsInTime } from './abuse.ts';

it('one client who attacks everything at once causes no 500, ends no process and breaks no ledger', {
  // Runs the product as its own process, and lets real time pass.
  timeout: 600_000,
}, async () => {
  const reports = await abuse({ isShort: true, isPostgres: false, attempts: 1 });
  expect(reports.map(({ attack }) => attack)).toEqual(['none', 'all at once']);
  const problems = reports.flatMap((report) => report.problems);
  expect(problems.filter((problem) => !boundsInTime.includes(problem))).toEqual([]);
  // The attack reached the product, and bounds answered it: of size, or of number.
  const { 200: done = 0, 422: tooLarge = 0, 429: tooMany = 0 } = reports[1]?.statuses ?? {};
  expect(done).toBeGreaterThan(0);
  expect(tooLarge + tooMany).toBeGreaterThan(0);
});
