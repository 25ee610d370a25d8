import { defineConfig } from 'vitest/config';

/** For a machine that has other work, too: what never comes costs a minute or two, what comes late costs nothing. */
const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};
const journeys = { ...patience, maxWorkers: 2 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...patience,
          name: 'unit',
          include: ['{contract,server,web}/src/**/*.test.{ts,tsx}', '{checks,fakes}/**/*.test.ts'],
        },
      },
      {
        test: {
          ...journeys,
          name: 'journeys-embedded',
          include: ['server/tests/**/*.test.ts'],
          env: { ROWMILL_TEST_DATABASE: 'embedded' },
          globalSetup: ['server/tests/support/embedded-setup.ts'],
        },
      },
      {
        test: {
          ...journeys,
          name: 'journeys-postgres',
          include: ['server/tests/**/*.test.ts'],
          env: { ROWMILL_TEST_DATABASE: 'postgres' },
          globalSetup: ['server/tests/support/postgres-setup.ts'],
        },
      },
      {
        test: {
          ...journeys,
          name: 'browser',
          include: ['web/e2e/**/*.test.ts'],
          fileParallelism: false,
        },
      },
    ],
  },
});
