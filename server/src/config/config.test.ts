import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { readEnvironment } from './env.ts';
import { ConfigRefused } from './problems.ts';

it.each<[string, Record<string, string>, string[]]>([
  ['an invalid port', { PORT: 'eighty' }, ['PORT is "eighty"']],
  [
    'two mistakes',
    { PORT: '70000', LOG_LEVEL: 'loud' },
    ['PORT is "70000"', 'LOG_LEVEL is "loud"'],
  ],
  [
    'an owner URL without a database',
    { DATABASE_OWNER_URL: 'postgres://a@b/c', DATABASE_URL: '' },
    ['without DATABASE_URL'],
  ],
  [
    'one role of several on the embedded database',
    { SERVE: 'auth', DATABASE_URL: '' },
    ['works with one process'],
  ],
  ['a public demo', { DEMO: 'on', HOST: '0.0.0.0' }, ['its passwords are public']],
  ['a demo in production', { DEMO: 'on', NODE_ENV: 'production' }, ['its passwords are public']],
  [
    'real money on the embedded database',
    { LIVE_PAYMENTS: '1', DATABASE_URL: '' },
    ['LIVE_PAYMENTS=1 needs DATABASE_URL'],
  ],
  [
    'a secret key as the browser’s key',
    { STRIPE_PUBLISHABLE_KEY: 'sk_live_x' },
    ['the browser would see it'],
  ],
  [
    'an unsupported database',
    { DATABASE_URL: 'mysql://me:hidden-word@x/y' },
    ['DATABASE_URL is set, but must be'],
  ],
  [
    'half of a key',
    { FILES_BUCKET: 'sheets', FILES_ACCESS_KEY_ID: 'x' },
    ['FILES_SECRET_ACCESS_KEY is not'],
  ],
  [
    'a file store without a bucket',
    { FILES_ENDPOINT: 'http://s3.example.com' },
    ['but FILES_BUCKET is not'],
  ],
  [
    'a file store without TLS',
    { FILES_BUCKET: 'sheets', FILES_ENDPOINT: 'http://s3.example.com' },
    ['FILES_ENDPOINT must start with https://'],
  ],
  [
    'traces of more than all rows, with a bad header',
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'hidden-word',
      OTEL_TRACES_SAMPLER_ARG: '5',
    },
    ['OTEL_TRACES_SAMPLER_ARG must be', 'OTEL_EXPORTER_OTLP_HEADERS must have the form'],
  ],
  ['an invalid public URL', { PUBLIC_URL: 'example.com' }, ['PUBLIC_URL is "example.com"']],
])('a configuration with %s is refused with a reason', (_what, env, words) => {
  const { message } = refusalOf({ DEMO: 'off', DATA_DIR: '/nowhere', ...env });
  for (const part of words) expect(message).toContain(part);
  expect(message).not.toMatch(/hidden-word|sk_live_x/);
});

function refusalOf(env: Record<string, string>): ConfigRefused {
  try {
    parseConfig(readEnvironment(env));
  } catch (error) {
    if (error instanceof ConfigRefused) return error;
    throw error;
  }
  throw new Error('The configuration was accepted.');
}

it('reads a secret from the file that its name with _FILE names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowmill-secret-'));
  const file = join(folder, 'key');
  writeFileSync(file, 'sk-from-a-file\n');
  expect(readEnvironment({ CHAT_API_KEY_FILE: file }).CHAT_API_KEY).toBe('sk-from-a-file');
  expect(readEnvironment({ CHAT_API_KEY_FILE: file, CHAT_API_KEY: 'own' }).CHAT_API_KEY).toBe(
    'own',
  );
  rmSync(folder, { recursive: true });
  expect(() => readEnvironment({ CHAT_API_KEY_FILE: file })).toThrow(
    /CHAT_API_KEY_FILE is .* cannot be read/,
  );
});
