import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Everything that is checked, the fast first. A step that fails does not keep the next from running. */
interface Step {
  name: string;
  command: readonly string[];
  /** A Vitest project: its tests are counted one by one. */
  project?: string;
}

/** Children run with the Node that runs this, whichever the machine has of its own. */
const node = (...command: string[]) => [process.execPath, ...command];
const bin = (name: string, ...rest: string[]) => node(join('node_modules', '.bin', name), ...rest);
const vitest = (project: string): Step => ({
  name: project,
  project,
  command: bin('vitest', 'run', '--project', project),
});

const steps: readonly Step[] = [
  { name: 'types', command: bin('tsc', '-p', '.') },
  { name: 'lint', command: bin('biome', 'ci', '.') },
  { name: 'house rules', command: node('checks/run.ts') },
  vitest('unit'),
  { name: 'site', command: node('web/build-when-stale.ts') },
  vitest('journeys-embedded'),
  vitest('journeys-postgres'),
  vitest('browser'),
];

interface Outcome {
  passed: number;
  /** What failed, in words: a whole step, or a test with the reason. */
  failures: readonly string[];
}

const directory = mkdtempSync(join(tmpdir(), 'rowmill-tests-'));
const outcomes = steps.map(run);
rmSync(directory, { recursive: true });
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failures = outcomes.flatMap((outcome) => outcome.failures);
// Named once more at the end: the place where each was told may be thousands of lines above.
for (const failure of failures) process.stdout.write(`\nFAILED ${failure}\n`);
process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
process.exit(failures.length === 0 ? 0 : 1);

function run(step: Step): Outcome {
  const report = join(directory, `${step.name}.json`);
  const reporters = step.project
    ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    : [];
  const started = performance.now();
  process.stdout.write(`\n== ${step.name}\n`);
  const [file = '', ...rest] = step.command;
  const { status } = spawnSync(file, [...rest, ...reporters], { stdio: 'inherit' });
  const outcome = step.project
    ? readReport(step.project, report, status)
    : outcomeOf(step.name, status);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `== ${step.name}: ${outcome.passed} passed, ${outcome.failures.length} failed, ${seconds} s\n`,
  );
  return outcome;
}

function outcomeOf(name: string, status: number | null): Outcome {
  return status === 0
    ? { passed: 1, failures: [] }
    : { passed: 0, failures: [`${name}: ended with ${status}`] };
}

interface Report {
  numPassedTests: number;
  testResults: { name: string; status: string; message: string; assertionResults: Result[] }[];
}

interface Result {
  status: string;
  fullName: string;
  failureMessages: string[];
}

/** A run without a report or without a test has failed, whatever it says; so has a file that could not be set up. */
function readReport(project: string, file: string, status: number | null): Outcome {
  try {
    const { numPassedTests, testResults }: Report = JSON.parse(readFileSync(file, 'utf8'));
    const failures = testResults.flatMap(({ name, status: ofFile, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      const told = failed.map(
        (test) => `${project} ${name}: ${test.fullName}\n${test.failureMessages.join('\n')}`,
      );
      return ofFile === 'failed' && failed.length === 0 ? [`${project} ${name}: ${message}`] : told;
    });
    const isBroken = failures.length === 0 && (status !== 0 || numPassedTests === 0);
    return {
      passed: numPassedTests,
      failures: isBroken ? [`${project}: ended with ${status}`] : failures,
    };
  } catch (error) {
    return { passed: 0, failures: [`${project}: no report, ended with ${status}: ${error}`] };
  }
}
