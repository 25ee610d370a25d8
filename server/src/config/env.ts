import { readFileSync } from 'node:fs';
import { ConfigRefused } from './problems.ts';

export interface Setting {
  meaning: string;
  default?: string;
  secret?: true;
  /** Set and empty: none. Of other settings an empty value means the default. */
  canBeNone?: true;
}

/** Every setting, by the sections of docs/configuration.md. */
export const settingGroups = {
  Serving: {
    PORT: { meaning: 'The port of site and API.', default: '4400' },
    HOST: { meaning: 'The address to listen on.', default: '127.0.0.1' },
    PUBLIC_URL: {
      meaning:
        'The address at which people reach the site. Links in emails are made from it, never from a request. Default: `http://HOST:PORT`. If HOST is `0.0.0.0` or `::`, it is `http://localhost:PORT`, and in production there is no default.',
    },
    SERVE: {
      meaning:
        'What this process serves: any of site, auth, plan, main and worker, separated by commas.',
      default: 'site,auth,plan,main,worker',
    },
    AUTH_URL: { meaning: 'The auth host, if it is not at PUBLIC_URL.' },
    PLAN_URL: { meaning: 'The plan host, if it is not at PUBLIC_URL.' },
    MAIN_URL: { meaning: 'The main API, if it is not at PUBLIC_URL.' },
    TRUSTED_PROXIES: {
      meaning:
        'Addresses or networks of reverse proxies, separated by commas, whose `X-Forwarded-For` is trusted. Without it, all people behind a proxy count as one network ([limits](security.md#per-time-window)). Default: none.',
    },
    METRICS_TOKEN: {
      meaning: 'The bearer token for `/metrics`. Without it, only this machine may read them.',
      secret: true,
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      meaning:
        'An OpenTelemetry collector that receives traces of rows over HTTP, such as `http://127.0.0.1:4318`. Default: none.',
    },
    OTEL_EXPORTER_OTLP_HEADERS: {
      meaning: 'Headers for it, as `name=value`, separated by commas.',
      secret: true,
    },
    OTEL_TRACES_SAMPLER_ARG: {
      meaning: 'The share of rows that are traced, from 0 to 1.',
      default: '0.01',
    },
    LOG_LEVEL: { meaning: 'error, warn, info, debug or silent.', default: 'info' },
    NODE_ENV: {
      meaning: 'production, development or test. `production` turns the demo off.',
      default: 'development',
    },
  },
  Storage: {
    DATA_DIR: {
      meaning: 'The folder for the embedded database, files and the outbox.',
      default: './data',
    },
    DATABASE_URL: {
      meaning:
        'A database of PostgreSQL 15 or later. Without it, one process uses an embedded database in DATA_DIR.',
      secret: true,
    },
    DATABASE_OWNER_URL: {
      meaning:
        'The same database as the owner of its tables, for migrations. DATABASE_URL must then connect as a role that owns nothing, and row-level security limits it to the rows of each person.',
      secret: true,
    },
    FILES_BUCKET: {
      meaning:
        'A bucket of an S3-compatible store for sheets, needed by several machines. Without it they are in DATA_DIR.',
    },
    FILES_ENDPOINT: {
      meaning:
        'The address of the store, such as `https://s3.example.com`. Default: Amazon’s in FILES_REGION.',
    },
    FILES_REGION: { meaning: 'The region of the store.', default: 'us-east-1' },
    FILES_ACCESS_KEY_ID: {
      meaning:
        'The id of a key that may read, write, list and delete in the bucket. Without it the machine’s own credentials are used.',
    },
    FILES_SECRET_ACCESS_KEY: { meaning: 'The secret of that key.', secret: true },
    DEMO: {
      meaning:
        'Demo people and an open outbox: on, off or auto. `auto` is on with the embedded database if HOST and PUBLIC_URL are loopback addresses and NODE_ENV is not `production`.',
      default: 'auto',
    },
  },
  'Chat model': {
    CHAT_BASE_URL: {
      meaning:
        'The address of an OpenAI-compatible API, such as `https://api.openai.com/v1`; it may also be the whole address of a call, as Azure’s portal shows it. With a key alone, it is OpenAI’s. Without both, Ollama or LM Studio is used if it runs on this machine at the start, else the built-in demo model, which answers for no other model. `demo` chooses the demo model.',
    },
    CHAT_KIND: {
      meaning:
        'The protocol of that address: `openai` (also most other providers), `anthropic` (such as `https://api.anthropic.com/v1`), `gemini` (such as `https://generativelanguage.googleapis.com/v1beta`) or `azure` (such as `https://NAME.openai.azure.com/openai`, with the name of a deployment as CHAT_MODEL).',
      default: 'openai',
    },
    CHAT_API_KEY: { meaning: 'The key for that address.', secret: true },
    CHAT_MODEL: { meaning: 'The default model. Default: the first one that the provider lists.' },
    SECRETS_KEY: {
      meaning:
        'Encrypts the keys of providers that operators add on the page. At least 32 random characters, such as from `openssl rand -base64 32`, and the same for all processes. Without it, no key can be saved there.',
      secret: true,
    },
    CHAT_CONCURRENCY: {
      meaning:
        'The most calls at once for batches, for all worker processes together. Single prompts, previews and rows that a fallback answers may be as many again in each process, at least 8.',
      default: '16',
    },
    CHAT_REQUESTS_PER_MINUTE: {
      meaning: 'What the key allows, if it is known. Default: learnt from its answers.',
    },
    CHAT_TOKENS_PER_MINUTE: { meaning: 'The same, in tokens.' },
    CHAT_LIMITS_PER: {
      meaning:
        'What these limits, and those that are learnt, count: `key` (all calls) or `model` (those of each model). `auto` is `model` for Anthropic, Azure, Cerebras, Google, Groq, Mistral, OpenAI and xAI, which limit each model, else `key`.',
      default: 'auto',
    },
    CHAT_DEADLINE_SECONDS: { meaning: 'The longest time for one call.', default: '120' },
    CHAT_PRICES: {
      meaning:
        'Submissions per answered row for models that cost other than 1, as `model=price`, separated by commas.',
    },
    DEMO_MODEL_PACE: {
      meaning:
        'on or off. With on, the demo model takes 0.3 to 0.9 seconds for each of the first 2,000 rows of a batch, as a real model would.',
      default: 'on',
    },
  },
  Sheets: {
    UPLOAD_MAX_MB: { meaning: 'The largest upload, in MB (1,000,000 bytes).', default: '200' },
    SHEET_MAX_ROWS: { meaning: 'The most rows of a sheet.', default: '1000000' },
    PROMPT_MAX_KB: {
      meaning:
        'The longest filled-in prompt, in units of 1,024 characters. Longer rows fail uncharged.',
      default: '256',
    },
    SHEET_MAX_COLUMNS: {
      meaning: 'The most columns of a sheet, without empty ones at its end.',
      default: '200',
    },
    RECORD_MAX_KB: { meaning: 'The longest record, in KiB.', default: '256' },
    CELL_MAX_KB: { meaning: 'The longest cell, in KiB.', default: '100' },
    STORAGE_QUOTA_MB: {
      meaning:
        'What one person’s sheets, rows and answers may take together, in MB (1,000,000 bytes).',
      default: '5000',
    },
    SHEET_UNUSED_DAYS: {
      meaning: 'Days after which a sheet that no batch uses is deleted.',
      default: '30',
    },
  },
  Mail: {
    SMTP_URL: {
      meaning:
        'The mail server, such as `smtps://user:password@mail.example.com`. Without it emails wait in the outbox.',
      secret: true,
    },
    MAIL_FROM: { meaning: 'The sender of all emails.', default: 'Rowmill <no-reply@localhost>' },
  },
  Operator: {
    OPERATOR_PRODUCT: {
      meaning: 'The name of the product on pages and in emails.',
      default: 'Rowmill',
    },
    OPERATOR_COMPANY: {
      meaning:
        'The company in the footer, on the legal pages and on invoices. LIVE_PAYMENTS=1 needs your own company, address, email address and phone number (or none).',
      default: 'Rowmill Trading Limited',
    },
    OPERATOR_ADDRESS: {
      meaning: 'Its postal address.',
      default: '18 Athol Street, Douglas, Isle of Man, IM1 1JA',
    },
    OPERATOR_TAX_NUMBER: { meaning: 'Its tax number on invoices, such as a VAT number.' },
    OPERATOR_EMAIL: { meaning: 'The support email address.', default: 'support@rowmill.example' },
    OPERATOR_PHONE: {
      meaning: 'The freephone number. Set and empty: none.',
      default: '0808 157 0192',
      canBeNone: true,
    },
    OPERATOR_SOCIAL: {
      meaning: 'Social links as `Name=https://…`, separated by commas. Set and empty: none.',
      default:
        'LinkedIn=https://www.linkedin.com/company/rowmill,YouTube=https://www.youtube.com/@rowmill,X=https://x.com/rowmill',
      canBeNone: true,
    },
  },
  Payments: {
    INVOICE_FONT: {
      meaning:
        'A font file (TTF or OTF) for invoices, such as Noto Sans SC for Chinese. Default: one for Latin, Greek, Cyrillic, Armenian and Georgian letters.',
    },
    STRIPE_PUBLISHABLE_KEY: { meaning: 'Stripe’s publishable key.' },
    STRIPE_SECRET_KEY: { meaning: 'Stripe’s secret key.', secret: true },
    STRIPE_WEBHOOK_SECRET: {
      meaning:
        'The signing secret of the Stripe webhook to `PUBLIC_URL/webhooks/stripe`. It should send the events of payment intents, refunds and disputes: `payment_intent.*`, `charge.refunded`, `refund.*` and `charge.dispute.*`.',
      secret: true,
    },
    STRIPE_API_BASE: { meaning: 'Another address of Stripe’s API, for tests.' },
    PAYPAL_CLIENT_ID: {
      meaning:
        'PayPal’s client id. Each provider needs all of its settings or none. Its app at PayPal needs the feature “Customer disputes”: without it, a dispute is noticed only when it is lost.',
    },
    PAYPAL_CLIENT_SECRET: { meaning: 'PayPal’s client secret.', secret: true },
    PAYPAL_WEBHOOK_ID: {
      meaning:
        'The id of the PayPal webhook to `PUBLIC_URL/webhooks/paypal`. It should send the events `CHECKOUT.ORDER.*`, `PAYMENT.CAPTURE.*` and `CUSTOMER.DISPUTE.*`.',
    },
    PAYPAL_API_BASE: {
      meaning:
        'Another address of PayPal’s API. Default: the live one if LIVE_PAYMENTS is 1, else the sandbox.',
    },
    LIVE_PAYMENTS: { meaning: '1 if the payment keys move real money, else 0.', default: '0' },
    ALLOW_PGLITE_LIVE: {
      meaning:
        '1 to allow real money on the embedded database, which may lose its last seconds in a power cut.',
      default: '0',
    },
  },
  Testing: {
    FAULT_POINT: {
      meaning:
        'Kills the process for tests: at `reading-slice`, `after-lease`, `before-call`, `after-reply`, `during-flush`, `before-commit` or `after-commit`, with `:37` the 37th time; or with `poison:` or `unreadable:` and a text, before a prompt that contains the text is sent or read. Needs the demo or NODE_ENV=test.',
    },
  },
} as const satisfies Record<string, Record<string, Setting>>;

export const settings = {
  ...settingGroups.Serving,
  ...settingGroups.Storage,
  ...settingGroups['Chat model'],
  ...settingGroups.Sheets,
  ...settingGroups.Mail,
  ...settingGroups.Operator,
  ...settingGroups.Payments,
  ...settingGroups.Testing,
};

export type SettingName = keyof typeof settings;
export type Environment = Record<SettingName, string>;

/**
 * The only reader of `process.env`. An absent variable reads as its default, else as an empty
 * string, and so does a blank one unless it can be none.
 */
export function readEnvironment(
  source: Record<string, string | undefined> = process.env,
): Environment {
  const problems: string[] = [];
  const entries = Object.entries(settings as Record<string, Setting>).map(([name, setting]) => {
    const given = source[name]?.trim();
    if (given === '' && setting.canBeNone) return [name, ''];
    const file = setting.secret && source[`${name}_FILE`]?.trim();
    if (given && file) problems.push(`${name} and ${name}_FILE are both set. Remove one of them.`);
    // A sealed key does not open with a key that lacks the marks that it once had.
    if (given && isQuoted(given) && name !== 'SECRETS_KEY')
      problems.push(`${name} begins and ends with a quotation mark. Remove both.`);
    const value = given || (file ? readSecretFile(name, { file, problems }) : '');
    return [name, value || (setting.default ?? '')];
  });
  if (problems.length > 0) throw new ConfigRefused(problems);
  return Object.fromEntries(entries) as Environment;
}

export const variableNames = (): string[] => Object.keys(process.env);

export const isStartedByNpm = (): boolean => process.env.npm_lifecycle_event === 'start';

/** Threads start with the environment of the process. A value from outside stays. */
export function setForThreads(name: string, value: string): void {
  process.env[name] ??= value;
}

/** As shells and systemd do not pass a value, but some container engines do. */
const isQuoted = (value: string) => /^(["'])(?:.*)\1$/s.test(value);

/** Without these, a new and empty installation would start beside the real one. */
const needed = ['DATABASE_URL', 'DATABASE_OWNER_URL'];

/** As container engines pass secrets: NAME_FILE names a file that holds the value of NAME. */
function readSecretFile(
  name: string,
  { file, problems }: { file: string; problems: string[] },
): string {
  try {
    const value = readFileSync(file, 'utf8').trim();
    if (value === '' && needed.includes(name))
      problems.push(`${name}_FILE is "${file}", but that file is empty.`);
    return value;
  } catch {
    problems.push(`${name}_FILE is "${file}", but that file cannot be read.`);
    return '';
  }
}
