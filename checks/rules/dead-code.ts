import { spawnSync } from 'node:child_process';
import type { Finding } from '../tree.ts';

export const name = 'dead code';

/**
 * Every export is used in another file, every file and dependency too. knip.json has the entries.
 */
export function check(): Finding[] {
  const script = 'node_modules/knip/bin/knip.js';
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [script, '--reporter', 'compact', '--no-progress'],
    {
      encoding: 'utf8',
    },
  );
  return findingsOf(stdout, stderr, status);
}

/** Each line of knip's report is a finding; a knip that could not run is one too. */
export function findingsOf(stdout: string, stderr: string, status: number | null): Finding[] {
  const findingOf = (wrong: string) => ({
    path: 'knip.json',
    line: 1,
    wrong,
    instead: 'delete it, or use it',
  });
  const lines = stdout.split('\n').filter((line) => line.trim() && !/\(\d+\)$/.test(line));
  if (status !== 0 && lines.length === 0) return [findingOf(`knip did not run: ${stderr.trim()}`)];
  return status === 0 ? [] : lines.map((line) => findingOf(line.trim()));
}
