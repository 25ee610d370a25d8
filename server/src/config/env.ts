import { readFileSync } from 'node:fs';
import { ConfigRefused } from './problems.ts';

/** Every setting. The only reader of `process.env`, and the source of docs/configuration.md. */
export interface Setting {
  group: string;
  meaning: string;
  default?: string;
  secret?: true;
}

export const settings = {
  PORT: { group: 'Serving', meaning: 'The port of site and API.', default: '4400' },
  HOST: { group: 'Serving', meaning: 'The address to listen on.', default: '127.0.0.1' },
  PUBLIC_URL: {
    group: 'Serving',
    meaning:
      'The address at which people reach the site. Links in emails are made from it, never from a request. Default: `http://HOST:PORT`.',
  },
  SERVE: {
    group: 'Serving',
    meaning:
      'What this process serves: any of site, auth, plan, main and worker, separated by commas.',
    default: 'site,auth,plan,main,worker',
  },
  AUTH_URL: {
    group: 'Serving',
    meaning: 'The auth host, if it is not at PUBLIC_URL.',
  },
  PLAN_URL: {
    group: 'Serving',
    meaning: 'The plan host, if it is not at PUBLIC_URL.',
  },
  MAIN_URL: {
    group: 'Serving',
    meaning: 'The main API, if it is not at PUBLIC_URL.',
  },
  TRUSTED_PROXIES: {
    group: 'Serving',
    meaning:
      'Addresses or networks of reverse proxies, separated by commas, whose `X-Forwarded-For` is trusted. Without it, all people behind a proxy count as one network ([limits](security.md#per-time-window)). Default: none.',
  },
  METRICS_TOKEN: {
    group: 'Serving',
    meaning: 'The bearer token for `/metrics`. Without it, only this machine may read them.',
    secret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'Serving',
    meaning:
      'An OpenTelemetry collector that receives traces of rows over HTTP, such as `http://127.0.0.1:4318`. Default: none.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    group: 'Serving',
    meaning: 'Headers for it, as `name=value`, separated by commas.',
    secret: true,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    group: 'Serving',
    meaning: 'The share of rows that are traced, from 0 to 1.',
    default: '0.01',
  },
  LOG_LEVEL: {
    group: 'Serving',
    meaning: 'error, warn, info, debug or silent.',
    default: 'info',
  },
  DATA_DIR: {
    group: 'Storage',
    meaning: 'The folder for the embedded database, files and the outbox.',
    default: './data',
  },
  DATABASE_URL: {
    group: 'Storage',
    meaning:
      'A PostgreSQL database. Without it, one process uses an embedded database in DATA_DIR.',
    secret: true,
  },
  DATABASE_OWNER_URL: {
    group: 'Storage',
    meaning:
      'The same database as the owner of its tables, for migrations. DATABASE_URL must then connect as a role that owns nothing, and row-level security limits it to the rows of each person.',
    secret: true,
  },
  FILES_BUCKET: {
    group: 'Storage',
    meaning:
      'A bucket of an S3-compatible store for sheets, needed by several machines. Without it they are in DATA_DIR.',
  },
  FILES_ENDPOINT: {
    group: 'Storage',
    meaning:
      'The address of the store, such as `https://s3.example.com`. Default: Amazon’s in FILES_REGION.',
  },
  FILES_REGION: { group: 'Storage', meaning: 'The region of the store.', default: 'us-east-1' },
  FILES_ACCESS_KEY_ID: {
    group: 'Storage',
    meaning:
      'The id of a key that may read, write, list and delete in the bucket. Without it the machine’s own credentials are used.',
  },
  FILES_SECRET_ACCESS_KEY: { group: 'Storage', meaning: 'The secret of that key.', secret: true },
  DEMO: {
    group: 'Storage',
    meaning:
      'Demo people and an open outbox: on, off or auto. `auto` is on with the embedded database if HOST and PUBLIC_URL are loopback addresses and NODE_ENV is not `production`.',
    default: 'auto',
  },
  CHAT_BASE_URL: {
    group: 'Chat model',
    meaning:
      'The address of an OpenAI-compatible API, such as `https://api.openai.com/v1`; an ending `/chat/completions` is left out. With a key alone, it is OpenAI’s. Without both, Ollama or LM Studio on this machine is used, else the built-in demo model. `demo` chooses the demo model.',
  },
  CHAT_KIND: {
    group: 'Chat model',
    meaning:
      'The protocol of that address: `openai` (also most other providers), `anthropic` (such as `https://api.anthropic.com/v1`), `gemini` (such as `https://generativelanguage.googleapis.com/v1beta`) or `azure` (such as `https://NAME.openai.azure.com/openai`, with the name of a deployment as CHAT_MODEL).',
    default: 'openai',
  },
  CHAT_API_KEY: { group: 'Chat model', meaning: 'The key for that address.', secret: true },
  CHAT_MODEL: {
    group: 'Chat model',
    meaning: 'The default model. Default: the first one that the provider lists.',
  },
  SECRETS_KEY: {
    group: 'Chat model',
    meaning:
      'Encrypts the keys of providers that operators add on the page. At least 32 random characters, such as from `openssl rand -base64 32`, and the same for all processes. Without it, no key can be saved there.',
    secret: true,
  },
  CHAT_CONCURRENCY: {
    group: 'Chat model',
    meaning:
      'The most calls at once for batches, for all worker processes together. Single prompts, previews and rows that a fallback answers may be as many again in each process, at least 8.',
    default: '16',
  },
  CHAT_REQUESTS_PER_MINUTE: {
    group: 'Chat model',
    meaning: 'What the key allows, if it is known. Default: learnt from its answers.',
  },
  CHAT_TOKENS_PER_MINUTE: { group: 'Chat model', meaning: 'The same, in tokens.' },
  CHAT_DEADLINE_SECONDS: {
    group: 'Chat model',
    meaning: 'The longest time for one call.',
    default: '120',
  },
  CHAT_PRICES: {
    group: 'Chat model',
    meaning:
      'Submissions per answered row for models that cost other than 1, as `model=price`, separated by commas.',
  },
  DEMO_MODEL_PACE: {
    group: 'Chat model',
    meaning:
      'on or off. With on, the demo model takes 0.3 to 0.9 seconds for each of the first 2,000 rows of a batch, as a real model would.',
    default: 'on',
  },
  UPLOAD_MAX_MB: {
    group: 'Sheets',
    meaning: 'The largest upload, in MB (1,000,000 bytes).',
    default: '200',
  },
  SHEET_MAX_ROWS: { group: 'Sheets', meaning: 'The most rows of a sheet.', default: '1000000' },
  PROMPT_MAX_KB: {
    group: 'Sheets',
    meaning:
      'The longest filled-in prompt, in units of 1,024 characters. Longer rows fail uncharged.',
    default: '256',
  },
  SHEET_MAX_COLUMNS: { group: 'Sheets', meaning: 'The most columns of a sheet.', default: '200' },
  RECORD_MAX_KB: { group: 'Sheets', meaning: 'The longest record, in KiB.', default: '256' },
  CELL_MAX_KB: { group: 'Sheets', meaning: 'The longest cell, in KiB.', default: '100' },
  STORAGE_QUOTA_MB: {
    group: 'Sheets',
    meaning:
      'What one person’s sheets, rows and answers may take together, in MB (1,000,000 bytes).',
    default: '5000',
  },
  SHEET_UNUSED_DAYS: {
    group: 'Sheets',
    meaning: 'Days after which a sheet that no batch uses is deleted.',
    default: '30',
  },
  SMTP_URL: {
    group: 'Mail',
    meaning:
      'The mail server, such as `smtps://user:password@mail.example.com`. Without it emails wait in the outbox.',
    secret: true,
  },
  MAIL_FROM: {
    group: 'Mail',
    meaning: 'The sender of all emails.',
    default: 'Rowmill <no-reply@localhost>',
  },
  OPERATOR_PRODUCT: {
    group: 'Operator',
    meaning: 'The name of the product on pages and in emails.',
    default: 'Rowmill',
  },
  OPERATOR_COMPANY: {
    group: 'Operator',
    meaning: 'The company in the footer and on the legal pages.',
    default: 'Rowmill Trading Limited',
  },
  OPERATOR_ADDRESS: {
    group: 'Operator',
    meaning: 'Its postal address.',
    default: '18 Athol Street, Douglas, Isle of Man, IM1 1JA',
  },
  OPERATOR_EMAIL: {
    group: 'Operator',
    meaning: 'The support email address.',
    default: 'support@rowmill.example',
  },
  OPERATOR_PHONE: { group: 'Operator', meaning: 'The freephone number.', default: '0808 157 0192' },
  OPERATOR_SOCIAL: {
    group: 'Operator',
    meaning: 'Social links as `Name=https://…`, separated by commas.',
    default:
      'LinkedIn=https://www.linkedin.com/company/rowmill,YouTube=https://www.youtube.com/@rowmill,X=https://x.com/rowmill',
  },
  STRIPE_PUBLISHABLE_KEY: { group: 'Payments', meaning: 'Stripe’s publishable key.' },
  STRIPE_SECRET_KEY: { group: 'Payments', meaning: 'Stripe’s secret key.', secret: true },
  STRIPE_WEBHOOK_SECRET: {
    group: 'Payments',
    meaning: 'The signing secret of the Stripe webhook to `PUBLIC_URL/webhooks/stripe`.',
    secret: true,
  },
  STRIPE_API_BASE: { group: 'Payments', meaning: 'Another address of Stripe’s API, for tests.' },
  PAYPAL_CLIENT_ID: {
    group: 'Payments',
    meaning: 'PayPal’s client id. Each provider needs all of its settings or none.',
  },
  PAYPAL_CLIENT_SECRET: { group: 'Payments', meaning: 'PayPal’s client secret.', secret: true },
  PAYPAL_WEBHOOK_ID: {
    group: 'Payments',
    meaning: 'The id of the PayPal webhook to `PUBLIC_URL/webhooks/paypal`.',
  },
  PAYPAL_API_BASE: {
    group: 'Payments',
    meaning:
      'Another address of PayPal’s API. Default: the live one if LIVE_PAYMENTS is 1, else the sandbox.',
  },
  LIVE_PAYMENTS: {
    group: 'Payments',
    meaning: '1 if the payment keys move real money.',
    default: '0',
  },
  ALLOW_PGLITE_LIVE: {
    group: 'Payments',
    meaning:
      '1 to allow real money on the embedded database, which may lose its last seconds in a power cut.',
    default: '0',
  },
  FAULT_POINT: {
    group: 'Testing',
    meaning:
      'Kills the process for tests: at `reading-slice`, `after-lease`, `before-call`, `after-reply`, `during-flush`, `before-commit` or `after-commit`, with `:37` the 37th time; or with `poison:` or `unreadable:` and a text, before a prompt that contains the text is sent or read. Needs the demo or NODE_ENV=test.',
  },
  NODE_ENV: {
    group: 'Serving',
    meaning: '`production` turns the demo off.',
    default: 'development',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
export type Environment = Record<SettingName, string>;

/** An absent or blank variable reads as its default, else as an empty string. */
export function readEnvironment(
  source: Record<string, string | undefined> = process.env,
): Environment {
  const entries = Object.entries(settings as Record<string, Setting>).map(([name, setting]) => {
    const value = source[name]?.trim() || (setting.secret ? readSecretFile(name, source) : '');
    return [name, value || (setting.default ?? '')];
  });
  return Object.fromEntries(entries) as Environment;
}

/** Threads start with the environment of the process. A value from outside stays. */
export function setForThreads(name: string, value: string): void {
  process.env[name] ??= value;
}

/** As container engines pass secrets: NAME_FILE names a file that holds the value of NAME. */
function readSecretFile(name: string, source: Record<string, string | undefined>): string {
  const path = source[`${name}_FILE`]?.trim();
  if (!path) return '';
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new ConfigRefused([`${name}_FILE is "${path}", but that file cannot be read.`]);
  }
}
