import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
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

/** The linter's output, with warnings as errors. Examples are checked by their schemas. */
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

/** Checks by the official schema of OpenAPI 3.1, and every reference. */
const validate = (described: object) =>
  new Validator().validate(JSON.parse(JSON.stringify(described)));

it('satisfies both linters', async () => {
  expect(await lint(document())).toBe('');
  expect(await validate(document())).toEqual({ valid: true });
});

it.each([
  ['a reference leads nowhere', '#/components/schemas/Batch"', '#/components/schemas/Bath"'],
  ['a response has no description', '"description"', '"descripcion"'],
])('fails the second linter when %s', async (_, part, wrong) => {
  const changed = JSON.parse(JSON.stringify(document()).replaceAll(part, wrong));
  expect(await validate(changed)).toMatchObject({ valid: false });
});

it('fails the first linter when an example differs from its schema', async () => {
  const wrong = JSON.parse(
    JSON.stringify(document()).replace('"email":"clara@example.com"', '"email":1'),
  );
  expect(await lint(wrong)).toContain('no-invalid-media-type-examples');
});
