import { resolve } from 'node:path';
import {
  type Host,
  limitScopes,
  providerKinds,
  providerLimits,
  usualLimitScope,
} from '@rowmill/contract';
import { bucketConfig } from './bucket.ts';
import { type Environment, settings } from './env.ts';
import { faultPointConfig } from './fault-point.ts';
import { invoiceFont } from './invoice-font.ts';
import { paymentsConfig } from './payments.ts';
import { loopbackNames, Problems } from './problems.ts';
import { tracesConfig } from './traces.ts';

export type Role = 'site' | Host | 'worker';
export type DatabaseConfig =
  | { kind: 'postgres'; url: string; ownerUrl?: string | null }
  | { kind: 'embedded'; directory: string | null };

const roles: readonly Role[] = ['site', 'auth', 'plan', 'main', 'worker'];
const logLevels = ['error', 'warn', 'info', 'debug', 'silent'];
const nodeEnvs = ['production', 'development', 'test'];
/** What an invoice says about the seller. It cannot be changed later. */
const seller = [
  'OPERATOR_COMPANY',
  'OPERATOR_ADDRESS',
  'OPERATOR_EMAIL',
  'OPERATOR_PHONE',
] as const;
const allAddresses = ['0.0.0.0', '::'];

export type Config = ReturnType<typeof parseConfig>;

/** Turns the environment into one typed value, or throws an error that lists every problem. */
export function parseConfig(env: Environment) {
  const problems = new Problems();
  const port = problems.wholeNumber('PORT', env.PORT, 0, 65_535);
  const publicUrl = siteAddress(env, port, problems);
  const database: DatabaseConfig = env.DATABASE_URL
    ? {
        kind: 'postgres',
        url: problems.databaseAddress('DATABASE_URL', env.DATABASE_URL),
        ownerUrl: env.DATABASE_OWNER_URL
          ? problems.databaseAddress('DATABASE_OWNER_URL', env.DATABASE_OWNER_URL)
          : null,
      }
    : { kind: 'embedded', directory: resolve(env.DATA_DIR) };
  const config = {
    http: {
      host: env.HOST,
      port,
      publicUrl,
      /** The site's own, and on a loopback address all of its names: their pages may call. */
      origins: originsOf(publicUrl, env.HOST, port),
      trustedProxies: problems.networks('TRUSTED_PROXIES', listOf(env.TRUSTED_PROXIES)),
      metricsToken: env.METRICS_TOKEN
        ? problems.bearerToken('METRICS_TOKEN', env.METRICS_TOKEN)
        : null,
    },
    serve: new Set(problems.choices('SERVE', listOf(env.SERVE), roles)),
    hosts: {
      auth: hostAddress(problems, 'AUTH_URL', env.AUTH_URL),
      plan: hostAddress(problems, 'PLAN_URL', env.PLAN_URL),
      main: hostAddress(problems, 'MAIN_URL', env.MAIN_URL),
    },
    /** Null: rows are not traced. */
    traces: tracesConfig(env, problems),
    logLevel: problems.choices('LOG_LEVEL', [env.LOG_LEVEL], logLevels)[0] ?? 'info',
    dataDirectory: resolve(env.DATA_DIR),
    database,
    /** Null: files are in the data directory. */
    bucket: bucketConfig(env, problems),
    demo: decideDemo(env, problems),
    production: problems.choices('NODE_ENV', [env.NODE_ENV], nodeEnvs)[0] === 'production',
    mail: {
      smtpUrl: env.SMTP_URL ? problems.mailAddress('SMTP_URL', env.SMTP_URL) : null,
      from: problems.sender('MAIL_FROM', env.MAIL_FROM),
    },
    operator: {
      product: env.OPERATOR_PRODUCT,
      company: env.OPERATOR_COMPANY,
      address: env.OPERATOR_ADDRESS,
      taxNumber: env.OPERATOR_TAX_NUMBER,
      email: problems.emailAddress('OPERATOR_EMAIL', env.OPERATOR_EMAIL),
      phone: env.OPERATOR_PHONE,
      /** A file. Null: the built-in font. */
      invoiceFont: invoiceFont(env.INVOICE_FONT, problems),
      social: problems.namedAddresses('OPERATOR_SOCIAL', listOf(env.OPERATOR_SOCIAL)),
    },
    payments: paymentsConfig(env, problems),
    /** Seals the keys of providers; null: none can be saved. */
    secretsKey: secretsKey(env, problems),
    chat: chatConfig(env, problems),
    /** Where tests kill the process. */
    faultPoint: faultPointConfig(env.FAULT_POINT, problems),
    sheets: sheetLimits(env, problems),
  };
  refuseContradictions(env, config, problems);
  problems.throwIfAny();
  return config;
}

function siteAddress(env: Environment, port: number, problems: Problems): string {
  if (env.PUBLIC_URL) return problems.siteAddress('PUBLIC_URL', env.PUBLIC_URL);
  const isEverywhere = allAddresses.includes(env.HOST);
  const address = `http://${isEverywhere ? 'localhost' : bracketed(env.HOST)}:${port}`;
  if (!URL.canParse(address))
    problems.add(`HOST is "${env.HOST}", but must be an address or a name of this machine.`);
  // On another machine pages could make no call, and no link in an email would work.
  if (isEverywhere && env.NODE_ENV === 'production')
    problems.add(`HOST is "${env.HOST}", so PUBLIC_URL must be set to what people type.`);
  return address;
}

const openAi = 'https://api.openai.com/v1';
const kibibyte = 1024;
const megabyte = 1_000_000;

function chatConfig(env: Environment, problems: Problems) {
  // The usual address is OpenAI's, which must not get the key of another provider.
  if (env.CHAT_API_KEY && !env.CHAT_BASE_URL && env.CHAT_KIND !== 'openai')
    problems.add(`CHAT_KIND is "${env.CHAT_KIND}", but CHAT_BASE_URL is not set.`);
  if (env.CHAT_KIND === 'azure' && !env.CHAT_MODEL)
    problems.add('CHAT_KIND is "azure", but CHAT_MODEL does not name a deployment.');
  const address = env.CHAT_BASE_URL || (env.CHAT_API_KEY ? openAi : '');
  const kind = problems.choices('CHAT_KIND', [env.CHAT_KIND], providerKinds)[0] ?? 'openai';
  const scopes = ['auto', ...limitScopes];
  const [limitsPer] = problems.choices('CHAT_LIMITS_PER', [env.CHAT_LIMITS_PER], scopes);
  const perMinute = (name: 'CHAT_REQUESTS_PER_MINUTE' | 'CHAT_TOKENS_PER_MINUTE') =>
    env[name] ? problems.wholeNumber(name, env[name], 1, providerLimits.perMinute) : null;
  return {
    /** Null: a model on this machine, else the demo model. `demo`: the demo model. */
    baseUrl:
      address && address !== 'demo'
        ? problems.webAddress('CHAT_BASE_URL', address)
        : address || null,
    /** The protocol that the address speaks. */
    kind,
    apiKey: env.CHAT_API_KEY ? problems.headerText('CHAT_API_KEY', env.CHAT_API_KEY) : null,
    model: env.CHAT_MODEL || null,
    concurrency: problems.wholeNumber('CHAT_CONCURRENCY', env.CHAT_CONCURRENCY, 1, 2_000),
    requestsPerMinute: perMinute('CHAT_REQUESTS_PER_MINUTE'),
    tokensPerMinute: perMinute('CHAT_TOKENS_PER_MINUTE'),
    limitsPer: limitScopes.find((scope) => scope === limitsPer) ?? usualLimitScope(kind, address),
    deadlineMilliseconds:
      problems.wholeNumber('CHAT_DEADLINE_SECONDS', env.CHAT_DEADLINE_SECONDS, 1, 3_600) * 1_000,
    prices: problems.namedNumbers('CHAT_PRICES', listOf(env.CHAT_PRICES)),
    /** The demo model answers the first rows of a batch as slowly as a real one. */
    isDemoPaced:
      problems.choices('DEMO_MODEL_PACE', [env.DEMO_MODEL_PACE], ['on', 'off'])[0] === 'on',
  };
}

function secretsKey(env: Environment, problems: Problems): string | null {
  if (env.SECRETS_KEY !== '' && env.SECRETS_KEY.length < 32)
    problems.add('SECRETS_KEY is too short. It needs at least 32 random characters.');
  return env.SECRETS_KEY || null;
}

/** Quotes and escapes make rows grow when they are stored; no sensible sheet grows this much. */
const growthAtMost = 20;

function sheetLimits(env: Environment, problems: Problems) {
  // The default may be more than a record that was made smaller.
  const isOwnCell = env.CELL_MAX_KB !== settings.CELL_MAX_KB.default;
  if (isOwnCell && Number(env.CELL_MAX_KB) > Number(env.RECORD_MAX_KB))
    problems.add(
      `CELL_MAX_KB is ${env.CELL_MAX_KB}, but a whole record may have only RECORD_MAX_KB=${env.RECORD_MAX_KB}.`,
    );
  const bytes = problems.wholeNumber('UPLOAD_MAX_MB', env.UPLOAD_MAX_MB, 1, 10_000) * megabyte;
  return {
    bytes,
    rows: problems.wholeNumber('SHEET_MAX_ROWS', env.SHEET_MAX_ROWS, 1, 10_000_000),
    columns: problems.wholeNumber('SHEET_MAX_COLUMNS', env.SHEET_MAX_COLUMNS, 1, 2_000),
    /** In characters. */
    maximumPromptLength:
      1_024 * problems.wholeNumber('PROMPT_MAX_KB', env.PROMPT_MAX_KB, 1, 16_384),
    // A record is in memory several times while it is read, and becomes a prompt.
    recordBytes: problems.wholeNumber('RECORD_MAX_KB', env.RECORD_MAX_KB, 1, 4_096) * kibibyte,
    cellBytes: problems.wholeNumber('CELL_MAX_KB', env.CELL_MAX_KB, 1, 4_096) * kibibyte,
    growth: growthAtMost,
    /** The most that all sheets, rows and answers of one person may take. */
    quotaBytes:
      problems.wholeNumber('STORAGE_QUOTA_MB', env.STORAGE_QUOTA_MB, 1, 10_000_000) * megabyte,
    /** A sheet without a batch is deleted after this. */
    unusedDays: problems.wholeNumber('SHEET_UNUSED_DAYS', env.SHEET_UNUSED_DAYS, 1, 3_650),
  };
}

function refuseContradictions(env: Environment, config: Config, problems: Problems): void {
  const embedded = config.database.kind === 'embedded';
  const [allowed] = problems.choices('ALLOW_PGLITE_LIVE', [env.ALLOW_PGLITE_LIVE], ['0', '1']);
  if (config.payments.live && embedded && allowed !== '1') {
    problems.add(
      'LIVE_PAYMENTS=1 needs DATABASE_URL: the embedded database may lose its last seconds, with paid orders, in a power cut. ' +
        'Set DATABASE_URL, or ALLOW_PGLITE_LIVE=1 if you accept that.',
    );
  }
  const invented = seller.filter((name) => env[name] === settings[name].default);
  if (config.payments.live && invented.length > 0) {
    problems.add(
      `LIVE_PAYMENTS=1 needs ${invented.join(', ')}: invoices name the seller, and their defaults are invented.`,
    );
  }
  if (embedded && env.DATABASE_OWNER_URL) {
    problems.add('DATABASE_OWNER_URL is set without DATABASE_URL. Set both or neither.');
  }
  if (config.faultPoint && !config.demo && env.NODE_ENV !== 'test') {
    problems.add(
      'FAULT_POINT kills the process and is only for the demo and for tests. Remove it.',
    );
  }
  if (embedded && config.serve.size < roles.length) {
    problems.add(
      'SERVE names only a part, but the embedded database works with one process. Set DATABASE_URL to run several.',
    );
  }
  if (config.production && env.MAIL_FROM.includes('@localhost') && config.mail.smtpUrl) {
    problems.add(
      'SMTP_URL is set in production, but MAIL_FROM still names localhost. Set the real sender.',
    );
  }
}

/** Demo people have a public password, so only this machine may reach them. */
function decideDemo(env: Environment, problems: Problems): boolean {
  const [choice] = problems.choices('DEMO', [env.DEMO], ['on', 'off', 'auto']);
  const isSafe =
    !env.DATABASE_URL &&
    env.NODE_ENV !== 'production' &&
    isLoopback(env.HOST) &&
    isLocal(env.PUBLIC_URL);
  if (choice === 'on' && !isSafe) {
    problems.add(
      'DEMO=on needs the embedded database, a loopback HOST and PUBLIC_URL, and NODE_ENV other than production: its passwords are public.',
    );
  }
  return choice !== 'off' && isSafe;
}

/** Behind a proxy on this machine HOST is a loopback address and PUBLIC_URL is not. */
function isLocal(publicUrl: string): boolean {
  if (!URL.canParse(publicUrl)) return publicUrl === '';
  return isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''));
}

function originsOf(publicUrl: string, host: string, port: number): string[] {
  const own = URL.canParse(publicUrl) ? [new URL(publicUrl).origin] : [];
  return isLoopback(host)
    ? [...new Set([...own, ...loopbackNames.map((name) => `http://${name}:${port}`)])]
    : own;
}

function hostAddress(problems: Problems, name: string, value: string): string {
  if (/[?#]/.test(value)) problems.add(`${name} must not have a query.`);
  return value ? problems.webAddress(name, value) : '';
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function listOf(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
