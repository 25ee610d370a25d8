import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Generous, so that a busy machine makes a test late and does not fail it. */
const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};
/** The longest files, which start first: at the end they would keep one of the two workers waiting. */
const longest = ['crashes', 'upstream-faults', 'matrix', 'refunds', 'start-up', 'abuse', 'kills'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

const journeys = { ...patience, maxWorkers: 2 };

/** Journeys whose result does not depend on the database run on one only. */
const embeddedOnly = [
  'server/tests/authority/headers.test.ts',
  'server/tests/batches/chat-model.test.ts',
  'server/tests/batches/provider-kinds.test.ts',
  'server/tests/chaos/**',
  'server/tests/faults/data-directory.test.ts',
  'server/tests/faults/upstream-faults.test.ts',
  'server/tests/files/upload-limits.test.ts',
];

/** Authority and money are tried where locks and row security are those of a large installation. */
const postgresOnly = [
  'server/tests/account/enumeration.test.ts',
  'server/tests/account/guessing.test.ts',
  'server/tests/authority/audit.test.ts',
  'server/tests/authority/audit-own.test.ts',
  'server/tests/authority/belongings.test.ts',
  'server/tests/authority/matrix.test.ts',
  'server/tests/billing/refunds.test.ts',
  'server/tests/faults/bad-input.test.ts',
  'server/tests/files/malformed-uploads.test.ts',
];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
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
          // Files share the loaded modules of a worker, which saves 2 s of CPU per file.
          isolate: false,
          // As `npm start` does. Optimising the code of each embedded database would take a fifth of all CPU time.
          execArgv: ['--liftoff-only'],
          name: 'journeys-embedded',
          include: ['server/tests/**/*.test.ts'],
          exclude: postgresOnly,
          env: { ROWMILL_TEST_DATABASE: 'embedded' },
          globalSetup: ['server/tests/support/embedded-setup.ts'],
        },
      },
      {
        test: {
          ...journeys,
          name: 'journeys-postgres',
          include: ['server/tests/**/*.test.ts'],
          exclude: embeddedOnly,
          env: { ROWMILL_TEST_DATABASE: 'postgres' },
          globalSetup: ['server/tests/support/postgres-setup.ts'],
        },
      },
    ],
  },
});
