import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseConfig } from './config.ts';
import { readEnvironment, type Setting, settingGroups, settings } from './env.ts';
import { ConfigRefused } from './problems.ts';
import { unknownSettings } from './unknown-settings.ts';

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
    'switches that are neither on nor off',
    { LIVE_PAYMENTS: 'true', ALLOW_PGLITE_LIVE: 'yes', NODE_ENV: 'prod' },
    ['LIVE_PAYMENTS is "true"', 'ALLOW_PGLITE_LIVE is "yes"', 'NODE_ENV is "prod"'],
  ],
  [
    'real money and an invented seller',
    { LIVE_PAYMENTS: '1', OPERATOR_ADDRESS: ' ', OPERATOR_EMAIL: 'help@example.com' },
    ['needs OPERATOR_COMPANY, OPERATOR_ADDRESS, OPERATOR_PHONE: invoices'],
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
    'an invoice font that is none',
    { INVOICE_FONT: import.meta.filename },
    ['but that is no TTF or OTF font'],
  ],
  [
    'an invoice font that is missing',
    { INVOICE_FONT: '/nowhere/font.ttf' },
    ['INVOICE_FONT is "/nowhere/font.ttf", but that file cannot be read'],
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
  [
    'proxies that are no addresses',
    { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/99, 2, *, fd00::/8' },
    [
      'TRUSTED_PROXIES has "10.0.0.0/99", but must be',
      'TRUSTED_PROXIES has "2"',
      'TRUSTED_PROXIES has "*"',
    ],
  ],
  ['a link without an address', { OPERATOR_SOCIAL: 'X=x.com' }, ['OPERATOR_SOCIAL has "X=x.com"']],
  [
    'the key of another provider without its address',
    { CHAT_KIND: 'anthropic', CHAT_API_KEY: 'hidden-word' },
    ['CHAT_KIND is "anthropic", but CHAT_BASE_URL is not set'],
  ],
  [
    'Azure without a deployment',
    { CHAT_KIND: 'azure', CHAT_BASE_URL: 'https://a.test/openai', CHAT_API_KEY: 'hidden-word' },
    ['CHAT_KIND is "azure", but CHAT_MODEL does not name a deployment'],
  ],
  [
    'Stripe’s keys in the wrong places',
    {
      STRIPE_SECRET_KEY: 'whsec_hidden-word',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
      STRIPE_WEBHOOK_SECRET: 'sk_test_hidden-word',
    },
    ['STRIPE_SECRET_KEY looks like STRIPE_W', 'STRIPE_WEBHOOK_SECRET looks like STRIPE_S'],
  ],
  [
    'prices between semicolons, of which only one would count',
    { CHAT_PRICES: 'small=1;large=5' },
    ['CHAT_PRICES must name each model once, with commas between them'],
  ],
  ['two prices of a model', { CHAT_PRICES: 'a=1,a=2' }, ['CHAT_PRICES must name each model once']],
  ['a price of no model', { CHAT_PRICES: '=2' }, ['CHAT_PRICES must name each model once']],
  ['an API host with a query', { AUTH_URL: 'https://a.test/?b' }, ['AUTH_URL must not have a q']],
  [
    'keys of the other mode of payments',
    { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_PUBLISHABLE_KEY: 'pk_live_x' },
    ['STRIPE_SECRET_KEY is a live key', 'STRIPE_PUBLISHABLE_KEY is a live key, but LIVE_PAYMENTS'],
  ],
  [
    'limits of sheets that are too high',
    { UPLOAD_MAX_MB: '1000000', SHEET_MAX_ROWS: '1000000000', CELL_MAX_KB: 'much' },
    ['UPLOAD_MAX_MB is "1000000"', 'SHEET_MAX_ROWS is "1000000000"', 'CELL_MAX_KB is "much"'],
  ],
  [
    'cells that are longer than their record',
    { CELL_MAX_KB: '300' },
    ['CELL_MAX_KB is 300, but a whole record may have only RECORD_MAX_KB=256'],
  ],
  ['a token with a space', { METRICS_TOKEN: 'hidden-word 2' }, ['METRICS_TOKEN has a space']],
  ['a public URL with a path', { PUBLIC_URL: 'https://a.test/app' }, ['PUBLIC_URL must be only']],
  [
    'a public URL with a password',
    { PUBLIC_URL: 'https://a:b@c.test/' },
    ['PUBLIC_URL must not have a name or pass'],
  ],
  ['a public URL with a query', { PUBLIC_URL: 'https://a.test/?b#c' }, ['PUBLIC_URL must be only']],
  ['an invalid host', { HOST: '300.1.1.1' }, ['HOST is "300.1.1.1"']],
  [
    'no address for people in production',
    { HOST: '0.0.0.0', NODE_ENV: 'production' },
    ['PUBLIC_URL must be set'],
  ],
  [
    'senders that are no addresses',
    { MAIL_FROM: 'Rowmill', OPERATOR_EMAIL: 'help@' },
    ['MAIL_FROM is "Rowmill"', 'OPERATOR_EMAIL is "help@"'],
  ],
  [
    'a support address with a name',
    { OPERATOR_EMAIL: 'Help <help@a.test>' },
    ['OPERATOR_EMAIL is "Help <help@a.test>", but must be an email address without a name'],
  ],
  ['the dots of an example as key', { CHAT_API_KEY: 'hidden-word…' }, ['CHAT_API_KEY has a line']],
  [
    'a password with a slash',
    { DATABASE_URL: 'postgres://me:hidden-word/x@h/y', SMTP_URL: 'smtp://me:hidden-word#@h' },
    ['DATABASE_URL is set, but must be', 'of a password as %23', 'SMTP_URL is set'],
  ],
  [
    'addresses without slashes or a server',
    { PUBLIC_URL: 'https:a.test', SMTP_URL: 'smtp://', DATABASE_URL: 'postgres:a' },
    ['PUBLIC_URL is "https:a.test"', 'SMTP_URL names no mail server', 'DATABASE_URL is set, but'],
  ],
  [
    'a password in the address of the provider',
    { CHAT_BASE_URL: 'https://me:hidden-word@a.test/v1' },
    ['CHAT_BASE_URL must not have a name or password before @'],
  ],
  [
    'a model without a price, whose rows would be free',
    { CHAT_PRICES: 'small=1,large=' },
    ['CHAT_PRICES (large=) is "", but must be a whole number'],
  ],
  [
    'quotation marks that belong to no value',
    { PUBLIC_URL: '"https://a.test"', CHAT_API_KEY: "'hidden-word'", OPERATOR_COMPANY: '"A"' },
    ['PUBLIC_URL begins and ends', 'CHAT_API_KEY begins', 'OPERATOR_COMPANY begins and ends'],
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

it('names the nearest setting for a variable that is none', () => {
  const own = ['CHAT_MODEL', 'CHAT_API_KEY_FILE', 'SMTP_URL'];
  const ofOthers = ['HOME', 'NODE_OPTIONS', 'CHATS', 'AWS_REGION'];
  const wrong = {
    CHAT_CONCURENCY: 'CHAT_CONCURRENCY',
    STRIPE_SECRT_KEY: 'STRIPE_SECRET_KEY',
    PAYPAL_SECRET: 'PAYPAL_CLIENT_SECRET',
    CHAT_MODEL_FILE: 'CHAT_MODEL',
    TRUSTED_PROXY: 'TRUSTED_PROXIES',
    SMTP_HOST: 'SMTP_URL',
  };
  expect(unknownSettings([...own, ...ofOthers, ...Object.keys(wrong)])).toEqual(
    Object.entries(wrong).map(([name, near]) =>
      expect.stringMatching(new RegExp(`^${name} is not a setting.* mean ${near}\\?$`)),
    ),
  );
});

it('reads prices with spaces around the name and the number', () => {
  const { prices } = parseConfig(readEnvironment({ CHAT_PRICES: 'small = 0, a=b= 3' })).chat;
  expect(prices).toEqual({ small: 0, 'a=b': 3 });
});

it('takes an empty phone number and empty social links as none', () => {
  const none = { OPERATOR_PHONE: '', OPERATOR_SOCIAL: ' ' };
  const own = { OPERATOR_COMPANY: 'A', OPERATOR_ADDRESS: 'B', OPERATOR_EMAIL: 'c@example.com' };
  const { operator } = parseConfig(
    readEnvironment({ LIVE_PAYMENTS: '1', ALLOW_PGLITE_LIVE: '1', ...own, ...none }),
  );
  expect(operator).toMatchObject({ company: 'A', address: 'B', phone: '', social: [] });
  expect(parseConfig(readEnvironment({})).operator).toMatchObject({
    company: settings.OPERATOR_COMPANY.default,
    phone: settings.OPERATOR_PHONE.default,
    social: [{ name: 'LinkedIn' }, { name: 'YouTube' }, { name: 'X' }],
  });
});

it('is at a name that browsers can open when it listens on all addresses', () => {
  const { publicUrl, origins } = parseConfig(readEnvironment({ HOST: '0.0.0.0' })).http;
  expect([publicUrl, origins]).toEqual(['http://localhost:4400', ['http://localhost:4400']]);
});

it('reads a secret from the file that its name with _FILE names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowmill-secret-'));
  const file = join(folder, 'key');
  writeFileSync(file, 'sk-from-a-file\n');
  expect(readEnvironment({ CHAT_API_KEY_FILE: file }).CHAT_API_KEY).toBe('sk-from-a-file');
  expect(() => readEnvironment({ CHAT_API_KEY_FILE: file, CHAT_API_KEY: 'own' })).toThrow(
    /CHAT_API_KEY and CHAT_API_KEY_FILE are both set/,
  );
  writeFileSync(file, '\n');
  expect(readEnvironment({ SMTP_URL_FILE: file }).SMTP_URL).toBe('');
  // Else the embedded database would be used, which is empty.
  expect(() => readEnvironment({ DATABASE_URL_FILE: file })).toThrow(
    /DATABASE_URL_FILE is .*, but that file is empty/,
  );
  rmSync(folder, { recursive: true });
  expect(() => readEnvironment({ CHAT_API_KEY_FILE: file, SMTP_URL_FILE: file })).toThrow(
    /CHAT_API_KEY_FILE is .* cannot be read[\s\S]*SMTP_URL_FILE is .* cannot be read/,
  );
  // One problem, not also that it is empty.
  expect(() => readEnvironment({ DATABASE_URL_FILE: file })).toThrow(
    /valid:\n.* cannot be read\.$/,
  );
});

/** A process of compose.yaml with these files as secrets, and .env.example as .env. */
function composeSettings(serve: string, secrets: Record<string, string>): Record<string, string> {
  const { block, env } = composeFiles();
  const directory = mkdtempSync(join(tmpdir(), 'rowmill-compose-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, text] of Object.entries(secrets)) writeFileSync(join(directory, name), text);
  const own = Object.fromEntries(
    Object.entries(block).map(([name, value]) => [
      name,
      value
        .replace('/run/secrets', directory)
        .replace(/\$\{(\w+)\}/, (_, variable: string) => env[variable] ?? ''),
    ]),
  );
  return { ...env, ...own, SERVE: serve, NODE_ENV: 'production', HOST: '0.0.0.0' };
}

const repository = join(import.meta.dirname, '../../..');
function composeFiles() {
  const compose = readFileSync(join(repository, 'compose.yaml'), 'utf8');
  const [, block = ''] = /x-settings: &settings\n([\s\S]*?)\n\n/.exec(compose) ?? [];
  const pairs = (text: string, pattern: RegExp) =>
    Object.fromEntries(
      [...text.matchAll(pattern)].map(([, name = '', value = '']) => [name, value]),
    );
  const example = readFileSync(join(repository, '.env.example'), 'utf8');
  return {
    compose,
    block: pairs(block, /^ {2}(\w+): (.*)$/gm),
    env: pairs(example, /^(\w+)=(.*)$/gm),
  };
}

it('has every setting that compose.yaml and .env.example name, and reads its secrets', () => {
  const { compose, block, env } = composeFiles();
  const names = [...Object.keys(block), ...Object.keys(env).filter((name) => name !== 'SITE_NAME')];
  expect(names).toEqual(expect.arrayContaining(Object.keys(settingGroups.Operator)));
  for (const name of names) {
    const setting = (settings as Record<string, Setting>)[name.replace(/_FILE$/, '')];
    expect(setting, name).toBeDefined();
    if (name.endsWith('_FILE')) expect(setting?.secret, name).toBe(true);
  }
  const secrets = {
    database_url: 'postgres://rowmill:a@postgres/rowmill\n',
    storage_key: 'k\n',
    secrets_key: `${'s'.repeat(44)}\n`,
    chat_api_key: 'sk-1\n',
    smtp_url: 'smtps://a:b@mail.example.com\n',
    metrics_token: 't\n',
  };
  expect(/^ {2}secrets: \[(.*)\]$/m.exec(compose)?.[1]?.split(', ')).toEqual(Object.keys(secrets));
  const roles = [...compose.matchAll(/SERVE: "?([\w,]+)"? \}/g)].map(([, role = '']) => role);
  expect(roles).toEqual(['site,auth,plan,main', 'worker', 'worker']);
  for (const role of roles) {
    const config = parseConfig(readEnvironment(composeSettings(role, secrets)));
    expect(config.http).toMatchObject({
      metricsToken: 't',
      publicUrl: `https://${env.SITE_NAME}`,
    });
  }
  const live = { ...composeSettings('worker', secrets), LIVE_PAYMENTS: '1' };
  expect(refusalOf(live).message).toMatch(
    /LIVE_PAYMENTS=1 needs OPERATOR_COMPANY, OPERATOR_ADDRESS, OPERATOR_EMAIL: /,
  );
  expect(compose).toContain(`subnet: ${block.TRUSTED_PROXIES}`);
});
