import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';

/** One step of the full check. A failed step does not stop the next ones. */
interface Step {
  name: string;
  command: readonly string[];
  /** For a test runner: writes a JSON report, whose tests are counted one by one. */
  report?: { argumentsFor: (file: string) => string[]; read: (text: string) => Outcome };
}

/** Steps run with the Node of this process, which may differ from the one on the PATH. */
const node = (...command: string[]) => [process.execPath, ...command];
const bin = (name: string, ...rest: string[]) => node(join('node_modules', '.bin', name), ...rest);
const vitest = (name: string, ...projects: string[]): Step => ({
  name,
  command: bin('vitest', 'run', ...projects.flatMap((project) => ['--project', project])),
  report: {
    argumentsFor: (file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    read: readVitestReport,
  },
});
const playwrightTest = [
  'node_modules/.bin/playwright',
  'test',
  '--config',
  'web/playwright.config.ts',
];
/** Playwright takes the path of its report only from PLAYWRIGHT_JSON_OUTPUT_FILE. */
const playwright: Step = {
  name: 'browser',
  // Its workers run the product with these flags too, as `npm start` and the journeys do.
  command: node(
    ...['--liftoff-only', '--invocation-count-for-turbofan=20000'],
    ...['--min-semi-space-size=16', '--max-semi-space-size=16', '--no-parallel-scavenge'],
    ...playwrightTest,
  ),
  report: { argumentsFor: () => ['--reporter=list,json'], read: readPlaywrightReport },
};

const types: Step = { name: 'types', command: bin('tsc', '-b', '--singleThreaded') };
/** Beside the types, which take one core. */
const besideTypes: readonly Step[] = [
  { name: 'lint', command: bin('biome', 'ci', '.') },
  { name: 'project checks', command: node('checks/run.ts') },
  { name: 'site', command: node('web/build-when-stale.ts') },
  {
    name: 'empty database',
    command: node('--liftoff-only', 'server/src/cli/make-empty-database.ts'),
  },
  { name: 'container', command: node('checks/container.ts', '--short') },
];
const tests: readonly Step[] = [
  vitest('unit', 'unit'),
  // Together: no worker waits for the last file on one database before it begins with the other.
  vitest('journeys', 'journeys-embedded', 'journeys-postgres'),
  playwright,
];

interface Outcome {
  passed: number;
  /** Failed tests with their messages, or the failed step. */
  failures: readonly string[];
}

/** A whole run takes up to 7.5 GB of memory, with 2.3 GB of these files. */
const plentyBytes = 10e9;
const directory = mkdtempSync(join(temporaryParent(), 'rowmill-tests-'));
// PostgreSQL runs as another user, who must be able to enter it.
chmodSync(directory, 0o755);
const outcomes = (await Promise.all([runQuietly([types]), runQuietly(besideTypes)])).flat();
for (const step of tests) outcomes.push(await run(step));
rmSync(directory, { recursive: true });
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failures = outcomes.flatMap((outcome) => outcome.failures);
// Repeated at the end, because the first report may be thousands of lines above.
for (const failure of failures) process.stdout.write(`\nFAILED ${failure}\n`);
process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
process.exit(failures.length === 0 ? 0 : 1);

/**
 * Every server under test copies a database of 1,200 files. On a disk, creating and deleting them
 * takes a quarter of the CPU time, so they are in memory where there is plenty.
 */
function temporaryParent(): string {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return Math.min(bavail * bsize, process.availableMemory()) >= plentyBytes ? inMemory : tmpdir();
}

async function runQuietly(steps: readonly Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const step of steps) outcomes.push(await run(step, { isQuiet: true }));
  return outcomes;
}

/** A quiet step writes its output when it has ended, so that two at once do not mix theirs. */
async function run(step: Step, { isQuiet = false } = {}): Promise<Outcome> {
  const file = join(directory, `${step.name}.json`);
  const started = performance.now();
  const title = `\n== ${step.name}\n`;
  if (!isQuiet) process.stdout.write(title);
  const [program = '', ...rest] = step.command;
  const child = spawn(program, [...rest, ...(step.report?.argumentsFor(file) ?? [])], {
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: {
      ...process.env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      TMPDIR: directory,
      // Every test file starts a process that loads the same modules: a quarter less CPU time.
      NODE_COMPILE_CACHE: join(directory, 'compiled'),
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [status, ...output] = await Promise.all([
    ended,
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
  ]);
  if (isQuiet) process.stdout.write([title, ...output].join(''));
  const outcome = step.report
    ? readReport(step.name, file, status, step.report.read)
    : stepOutcome(step.name, status);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `== ${step.name}: ${outcome.passed} passed, ${outcome.failures.length} failed, ${seconds} s\n`,
  );
  return outcome;
}

function stepOutcome(name: string, status: number | null): Outcome {
  return status === 0
    ? { passed: 1, failures: [] }
    : { passed: 0, failures: [`${name}: exited with ${status}`] };
}

/** A run without a report, without a passed test or with a bad exit code has failed. */
function readReport(
  name: string,
  file: string,
  status: number | null,
  read: (text: string) => Outcome,
): Outcome {
  try {
    const { passed, failures } = read(readFileSync(file, 'utf8'));
    const isBroken = failures.length === 0 && (status !== 0 || passed === 0);
    return {
      passed,
      failures: isBroken
        ? [`${name}: exited with ${status}, ${passed} tests passed`]
        : failures.map((failure) => `${name} ${failure}`),
    };
  } catch (error) {
    return { passed: 0, failures: [`${name}: no report, exited with ${status}: ${error}`] };
  }
}

interface VitestReport {
  numPassedTests: number;
  testResults: { name: string; status: string; message: string; assertionResults: VitestTest[] }[];
}

interface VitestTest {
  status: string;
  fullName: string;
  failureMessages: string[];
}

/** A file that could not be set up has failed without a failed test. */
function readVitestReport(text: string): Outcome {
  const { numPassedTests, testResults }: VitestReport = JSON.parse(text);
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [`${name}: ${message}`];
    return failed.map((test) => `${name}: ${test.fullName}\n${test.failureMessages.join('\n')}`);
  });
  return { passed: numPassedTests, failures };
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: {
    title: string;
    file: string;
    tests: { status: string; results: { errors: { message?: string }[] }[] }[];
  }[];
}

interface PlaywrightReport {
  suites: PlaywrightSuite[];
  /** Errors outside tests, such as a file that cannot be loaded. */
  errors: { message?: string }[];
}

function readPlaywrightReport(text: string): Outcome {
  const report: PlaywrightReport = JSON.parse(text);
  const tests = report.suites.flatMap(specsOf).flatMap(({ title, file, tests }) =>
    tests.map(({ status, results }) => ({
      status,
      failure: `${file}: ${title}\n${messages(results.flatMap(({ errors }) => errors))}`,
    })),
  );
  const passed = tests.filter(({ status }) => status === 'expected').length;
  const failed = tests.filter(({ status }) => status !== 'expected' && status !== 'skipped');
  return {
    passed,
    failures: [
      ...failed.map(({ failure }) => failure),
      ...report.errors.map((error) => messages([error])),
    ],
  };
}

function specsOf({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function messages(errors: readonly { message?: string }[]): string {
  return stripVTControlCharacters(errors.map(({ message }) => message ?? '').join('\n'));
}
