import { defineConfig } from 'vitest/config';

const patience = { testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 2 };

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['{contract,server,web}/src/**/*.test.{ts,tsx}', '{checks,fakes}/**/*.test.ts'] } },
      {
        test: {
          ...patience,
          name: 'journeys-embedded',
          include: ['server/tests/**/*.test.ts'],
          env: { ROWMILL_TEST_DATABASE: 'embedded' },
        },
      },
      {
        test: {
          ...patience,
          name: 'journeys-postgres',
          include: ['server/tests/**/*.test.ts'],
          env: { ROWMILL_TEST_DATABASE: 'postgres' },
          globalSetup: ['server/tests/postgres-setup.ts'],
        },
      },
      { test: { ...patience, name: 'browser', include: ['web/e2e/**/*.test.ts'], fileParallelism: false } },
    ],
  },
});
