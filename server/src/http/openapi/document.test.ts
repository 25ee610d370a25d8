import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../../config/config.ts';
import { readEnvironment } from '../../config/env.ts';
import { describeContract } from './document.ts';

const redocly = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin/cli.js',
);
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rowmill-openapi-'));
});
afterAll(() => rm(directory, { recursive: true }));

const document = () =>
  describeContract(parseConfig(readEnvironment({ PUBLIC_URL: 'https://rowmill.test' })));

/** What the linter says, with every warning counted as an error. Examples are checked by their schemas. */
async function lint(described: object): Promise<string> {
  const path = join(directory, 'openapi.json');
  await writeFile(path, JSON.stringify(described));
  const options = ['--extends', 'recommended-strict', '--format', 'summary'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return promisify(execFile)(process.execPath, [redocly, 'lint', path, ...options], { env }).then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
}

it('satisfies the linter', async () => {
  expect(await lint(document())).toBe('');
});

it('fails the linter when an example differs from its schema', async () => {
  const wrong = JSON.parse(
    JSON.stringify(document()).replace('"email":"clara@example.com"', '"email":1'),
  );
  expect(await lint(wrong)).toContain('no-invalid-media-type-examples');
});
