import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPostgresDatabase } from '../support/databases.ts';
import { simulate } from './simulate.ts';
import { openSmallWorld, type SmallWorld } from './small-world.ts';

let world: SmallWorld;
beforeAll(async () => {
  const isPostgres = process.env.ROWMILL_TEST_DATABASE === 'postgres';
  const database = isPostgres
    ? ({ kind: 'postgres', url: await createPostgresDatabase() } as const)
    : ({ kind: 'embedded', directory: null } as const);
  world = await openSmallWorld(database);
});
afterAll(() => world[Symbol.asyncDispose]());

it('keeps the books right, whatever people, provider and crashes do in whatever order', async () => {
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
  const report = await simulate(world, {
    seeds,
    steps: 150,
    compareEvery: 1,
    invariantsEvery: 5,
    say: () => {},
  });
  expect(report.failure).toBeNull();
  expect(report.steps).toBeGreaterThan(500);
});
