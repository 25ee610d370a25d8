import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Time limits are generous, so that a busy machine makes a test late and does not fail it: with ten
 * times as much work as cores the longest tests took up to 130 s.
 */
const common = {
  // Files share the loaded modules of a worker, which saves 1 to 2 s of CPU per journey.
  isolate: false,
  // As `npm start` does. Optimising the code of each embedded database would take a fifth of all
  // CPU time. The others take 3% to 11% less of it: more room for new objects, one thread that
  // collects them, less optimised code.
  execArgv: [
    ...['--liftoff-only', '--invocation-count-for-turbofan=20000'],
    ...['--min-semi-space-size=16', '--max-semi-space-size=16', '--no-parallel-scavenge'],
  ],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
};
/** The longest files, which start first: at the end they would keep one of the workers waiting. */
const longest = [
  ...['database-faults', 'crashes', 'upstream-faults', 'kills', 'start-up', 'postgres-outage'],
  ...['backup', 'engine', 'refunds', 'several-workers', 'matrix', 'abuse', 'bucket'],
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place < 0 ? longest.length : place;
    };
    // A worker keeps its loaded modules only while the next file belongs to the same project.
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...projects.values()].flatMap((own) =>
      own.sort((one, other) => rank(one) - rank(other)),
    );
  }
}

/** Six workers keep two cores busy: many journeys wait for calls that are slow on purpose. */
const journeys = {
  ...common,
  maxWorkers: 6,
  setupFiles: ['server/tests/support/closing-setup.ts'],
};

/** Journeys of what only the embedded database has, and those that no database changes. */
const embeddedOnly = [
  'server/tests/authority/headers.test.ts',
  'server/tests/billing/demo-packs.test.ts',
  'server/tests/providers/{chat-model,provider-kinds}.test.ts',
  'server/tests/batches/{generated-client,traces}.test.ts',
  'server/tests/chaos/**/*.test.ts',
  'server/tests/faults/{connections,data-directory,long-statements,lost-commits,memory,open-files}.test.ts',
  'server/tests/files/upload-limits.test.ts',
];

/**
 * Journeys that run on both. The others run on PostgreSQL, where a server costs less and statements
 * run at the same time; the browser tests run the same statements on the embedded database.
 */
const both = [
  'server/tests/batches/{engine,shutdown}.test.ts',
  'server/tests/faults/{backup,migrations,start-up}.test.ts',
  'server/tests/files/{storage,uploads}.test.ts',
  'server/tests/simulation/simulation.test.ts',
];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          // By default one on two cores.
          maxWorkers: 2,
          include: ['{contract,server,web}/src/**/*.test.{ts,tsx}', '{checks,fakes}/**/*.test.ts'],
        },
      },
      {
        test: {
          ...journeys,
          name: 'journeys-embedded',
          include: [...embeddedOnly, ...both],
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
