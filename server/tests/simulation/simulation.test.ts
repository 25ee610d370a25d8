import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPostgresDatabase } from '../support/databases.ts';
import { simulate } from './simulate.ts';
import { openSimulatedApp, type SimulatedApp } from './simulated-app.ts';

let app: SimulatedApp;
beforeAll(async () => {
  const isPostgres = process.env.ROWMILL_TEST_DATABASE === 'postgres';
  const database = isPostgres
    ? ({ kind: 'postgres', url: await createPostgresDatabase() } as const)
    : ({ kind: 'embedded', directory: null } as const);
  app = await openSimulatedApp(database);
});
afterAll(() => app[Symbol.asyncDispose]());

it('random walks through batches, purchases and crashes keep the ledger equal to the reference', async () => {
  const seeds = [1, 2, 3, 4, 5, 6, 7, 26];
  const report = await simulate(app, {
    seeds,
    steps: 150,
    compareEvery: 1,
    invariantsEvery: 5,
    say: () => {},
  });
  expect(report.failure).toBeNull();
  expect(report.steps).toBeGreaterThan(500);
});
