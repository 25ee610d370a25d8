/**
 * Every setting that the product reads from its environment: its meaning, and its default where it has one.
 * This table is the only place that knows `process.env`; docs/configuration.md is made from it.
 */
export interface Setting {
  group: string;
  meaning: string;
  default?: string;
  secret?: true;
}

export const settings = {
  PORT: { group: 'Serving', meaning: 'The port on which site and API answer.', default: '4400' },
  HOST: { group: 'Serving', meaning: 'The address to listen at.', default: '127.0.0.1' },
  PUBLIC_URL: {
    group: 'Serving',
    meaning:
      'The address under which people reach the site. Links in mails are made from it, never from a request. Default: `http://HOST:PORT`.',
  },
  SERVE: {
    group: 'Serving',
    meaning:
      'What this process serves: any of site, auth, plan, main, worker, separated by commas.',
    default: 'site,auth,plan,main,worker',
  },
  AUTH_URL: {
    group: 'Serving',
    meaning: 'Where the browser finds the auth host, when that is not PUBLIC_URL.',
  },
  PLAN_URL: {
    group: 'Serving',
    meaning: 'Where the browser finds the plan host, when that is not PUBLIC_URL.',
  },
  MAIN_URL: {
    group: 'Serving',
    meaning: 'Where the browser finds the main API, when that is not PUBLIC_URL.',
  },
  TRUSTED_PROXIES: {
    group: 'Serving',
    meaning:
      'Addresses or networks of reverse proxies, separated by commas, whose `X-Forwarded-For` is believed. Default: nobody’s.',
  },
  METRICS_TOKEN: {
    group: 'Serving',
    meaning: 'Bearer token for `/metrics`. Without it, only this machine may read them.',
    secret: true,
  },
  LOG_LEVEL: {
    group: 'Serving',
    meaning: 'How much is logged: error, warn, info, debug or silent.',
    default: 'info',
  },
  DATA_DIR: {
    group: 'Keeping',
    meaning: 'The folder of the embedded database, the files and the outbox.',
    default: './data',
  },
  DATABASE_URL: {
    group: 'Keeping',
    meaning:
      'A PostgreSQL database. Without it an embedded one is kept in DATA_DIR, for one process.',
    secret: true,
  },
  DATABASE_OWNER_URL: {
    group: 'Keeping',
    meaning:
      'The same database, as the owner of its tables. With it DATABASE_URL names a role that owns nothing, and the database itself keeps each person to his own rows.',
    secret: true,
  },
  FILES_BUCKET: {
    group: 'Keeping',
    meaning:
      'A bucket of an S3-compatible store for sheets, which several machines need. Without it they are kept in DATA_DIR.',
  },
  FILES_ENDPOINT: {
    group: 'Keeping',
    meaning:
      'The address of that store, such as `https://s3.example.com`. Default: Amazon’s in FILES_REGION.',
  },
  FILES_REGION: { group: 'Keeping', meaning: 'The region of that store.', default: 'us-east-1' },
  FILES_ACCESS_KEY_ID: {
    group: 'Keeping',
    meaning:
      'The id of a key that may read, write, list and delete in that bucket. Without it the rights of the machine are used.',
  },
  FILES_SECRET_ACCESS_KEY: { group: 'Keeping', meaning: 'The key itself.', secret: true },
  DEMO: {
    group: 'Keeping',
    meaning:
      'Demo people and an open outbox: on, off, or auto. `auto` is on with the embedded database where HOST and PUBLIC_URL are loopback addresses, outside production.',
    default: 'auto',
  },
  CHAT_BASE_URL: {
    group: 'Chat model',
    meaning:
      'An address that speaks the OpenAI chat protocol, such as `https://api.openai.com/v1`. Without it, and without a key, Ollama or LM Studio on this machine is used, else the built-in demo model. `demo` asks for that one.',
  },
  CHAT_API_KEY: { group: 'Chat model', meaning: 'The key for that address.', secret: true },
  CHAT_MODEL: {
    group: 'Chat model',
    meaning: 'The model that is asked when a person chooses none. Default: the first of the list.',
  },
  CHAT_CONCURRENCY: {
    group: 'Chat model',
    meaning: 'At most so many calls at once, in each process.',
    default: '16',
  },
  CHAT_DEADLINE_SECONDS: {
    group: 'Chat model',
    meaning: 'How long one call may take.',
    default: '120',
  },
  CHAT_PRICES: {
    group: 'Chat model',
    meaning:
      'Submissions for an answered row, where that is not 1, as `model=price`, separated by commas.',
  },
  UPLOAD_MAX_MB: {
    group: 'Sheets',
    meaning: 'The largest file that can be uploaded, in MB.',
    default: '200',
  },
  SHEET_MAX_ROWS: { group: 'Sheets', meaning: 'The most rows of a sheet.', default: '1000000' },
  SHEET_MAX_COLUMNS: { group: 'Sheets', meaning: 'The most columns of a sheet.', default: '200' },
  RECORD_MAX_KB: { group: 'Sheets', meaning: 'The longest record, in KiB.', default: '256' },
  CELL_MAX_KB: { group: 'Sheets', meaning: 'The longest cell, in KiB.', default: '100' },
  SMTP_URL: {
    group: 'Mail',
    meaning:
      'The mail server, such as `smtps://user:password@mail.example.com`. Without it mails wait in the outbox.',
    secret: true,
  },
  MAIL_FROM: {
    group: 'Mail',
    meaning: 'The sender of all mails.',
    default: 'Rowmill <no-reply@localhost>',
  },
  OPERATOR_PRODUCT: {
    group: 'Operator',
    meaning: 'The name of the product on pages and in mails.',
    default: 'Rowmill',
  },
  OPERATOR_COMPANY: {
    group: 'Operator',
    meaning: 'The trading company, for footer and legal pages.',
    default: 'Rowmill Trading Limited',
  },
  OPERATOR_ADDRESS: {
    group: 'Operator',
    meaning: 'Its postal address.',
    default: '18 Athol Street, Douglas, Isle of Man, IM1 1JA',
  },
  OPERATOR_EMAIL: {
    group: 'Operator',
    meaning: 'The support e-mail address.',
    default: 'support@rowmill.example',
  },
  OPERATOR_PHONE: { group: 'Operator', meaning: 'The freephone number.', default: '0808 157 0192' },
  OPERATOR_SOCIAL: {
    group: 'Operator',
    meaning: 'Social links as `Name=https://…`, separated by commas.',
    default:
      'LinkedIn=https://www.linkedin.com/company/rowmill,YouTube=https://www.youtube.com/@rowmill,X=https://x.com/rowmill',
  },
  STRIPE_PUBLISHABLE_KEY: { group: 'Payments', meaning: 'Stripe’s key for the browser.' },
  STRIPE_SECRET_KEY: { group: 'Payments', meaning: 'Stripe’s key for the server.', secret: true },
  STRIPE_WEBHOOK_SECRET: {
    group: 'Payments',
    meaning: 'The secret with which Stripe signs what it reports to `PUBLIC_URL/webhooks/stripe`.',
    secret: true,
  },
  STRIPE_API_BASE: { group: 'Payments', meaning: 'Another address than Stripe’s own, for tests.' },
  PAYPAL_CLIENT_ID: {
    group: 'Payments',
    meaning: 'PayPal’s client id. Each provider needs all of its settings, or none.',
  },
  PAYPAL_CLIENT_SECRET: { group: 'Payments', meaning: 'PayPal’s client secret.', secret: true },
  PAYPAL_WEBHOOK_ID: {
    group: 'Payments',
    meaning: 'PayPal’s id of the webhook that reports to `PUBLIC_URL/webhooks/paypal`.',
  },
  PAYPAL_API_BASE: {
    group: 'Payments',
    meaning:
      'Another address of PayPal’s API. Default: the live one when LIVE_PAYMENTS is 1, else the sandbox.',
  },
  LIVE_PAYMENTS: {
    group: 'Payments',
    meaning: '1 when the payment keys move real money.',
    default: '0',
  },
  ALLOW_PGLITE_LIVE: {
    group: 'Payments',
    meaning:
      '1 to take real money on the embedded database all the same. It does not survive a power cut without loss.',
    default: '0',
  },
  FAULT_POINT: {
    group: 'Testing',
    meaning:
      'Where the process kills itself, to show what it survives: `after-claim`, `before-call`, `after-reply`, `during-flush`, `before-commit` or `after-commit`, with `:37` the 37th time it comes there; or `poison:` and a text, whenever a prompt that contains it is about to be sent. Only with the demo, or with NODE_ENV=test.',
  },
  NODE_ENV: {
    group: 'Serving',
    meaning: '`production` turns the demo off.',
    default: 'development',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
export type Environment = Record<SettingName, string>;

/** An absent or blank variable reads as its default, or as the empty text. */
export function readEnvironment(
  source: Record<string, string | undefined> = process.env,
): Environment {
  const entries = Object.entries(settings as Record<string, Setting>).map(([name, setting]) => {
    const value = source[name]?.trim();
    return [name, value || (setting.default ?? '')];
  });
  return Object.fromEntries(entries) as Environment;
}
