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

/** Four workers keep two cores busy: many journeys wait for calls that are slow on purpose. */
const journeys = {
  ...common,
  maxWorkers: 4,
  setupFiles: ['server/tests/support/closing-setup.ts'],
};

/** Journeys whose result does not depend on the database run on one only. */
const embeddedOnly = [
  'server/tests/authority/headers.test.ts',
  'server/tests/providers/{chat-model,provider-kinds}.test.ts',
  'server/tests/batches/generated-client.test.ts',
  'server/tests/batches/traces.test.ts',
  'server/tests/chaos/**',
  'server/tests/faults/{connections,data-directory,long-statements,lost-commits,memory,open-files}.test.ts',
  'server/tests/files/upload-limits.test.ts',
];

/**
 * Where no statement depends on the database, or on locks and row security of a large installation.
 * A server with the embedded database costs more, and runs the same statements one after another.
 */
const postgresOnly = [
  'server/tests/account/{account,clients-and-plans,email-floods,enumeration,guessing}.test.ts',
  'server/tests/account/{log-secrets,news,sessions,sign-in-limits,unverified}.test.ts',
  'server/tests/authority/{acting,audit,audit-own,belongings,matrix,operators}.test.ts',
  'server/tests/batches/{agreed-price,cost-sums,costs,economy,long-lists,price-by-size}.test.ts',
  'server/tests/batches/several-workers.test.ts',
  'server/tests/billing/{catalogue,credits-given,idempotency-keys,invoice-list,invoices}.test.ts',
  'server/tests/billing/{late-approvals,lost-events,refunds,rejected-payments,reviews}.test.ts',
  'server/tests/billing/webhooks.test.ts',
  'server/tests/faults/{bad-input,free-calls,mail-outage,newer-version,postgres-outage}.test.ts',
  'server/tests/faults/{unfinished-work,upstream-faults}.test.ts',
  'server/tests/files/{bucket,malformed-uploads}.test.ts',
  'server/tests/providers/{fail-over,models,neighbours,providers,quarantine}.test.ts',
  'server/tests/providers/refused-providers.test.ts',
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
