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
const vitest = (project: string): Step => ({ name: project, project, command: bin('vitest', 'run', '--project', project) });

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

interface Count {
  passed: number;
  failed: number;
}

const directory = mkdtempSync(join(tmpdir(), 'rowmill-tests-'));
const total = steps.map(run).reduce((sum, count) => ({ passed: sum.passed + count.passed, failed: sum.failed + count.failed }));
rmSync(directory, { recursive: true });
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 ? 0 : 1);

function run(step: Step): Count {
  const report = join(directory, `${step.name}.json`);
  const reporters = step.project ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : [];
  const started = performance.now();
  process.stdout.write(`\n== ${step.name}\n`);
  const [file = '', ...rest] = step.command;
  const { status } = spawnSync(file, [...rest, ...reporters], { stdio: 'inherit' });
  const count = step.project ? countTests(report, status) : { passed: Number(status === 0), failed: Number(status !== 0) };
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`== ${step.name}: ${count.passed} passed, ${count.failed} failed, ${seconds} s\n`);
  return count;
}

/** A run without a report or without a test has failed, whatever it says. */
function countTests(report: string, status: number | null): Count {
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8'));
    const isBroken = passed + failed === 0 || (status !== 0 && failed === 0);
    return { passed, failed: failed + Number(isBroken) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
