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
  // The attack reached the product, and bounds answered it.
  expect(reports[1]?.statuses).toMatchObject({ 200: expect.any(Number), 429: expect.any(Number) });
});
