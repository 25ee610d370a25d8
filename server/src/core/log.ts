import pino, { type Logger } from 'pino';
import type { Config } from '../config/config.ts';

/** Fields that are never logged, at any level of nesting up to three. */
const secrets = [
  'password',
  'current_password',
  'token',
  'user_token',
  'app_token',
  'authorization',
  'cookie',
  'password_hash',
];

/** One JSON line per event. Errors have message, stack and code, but no values of statements. */
export function createLog({ logLevel }: Config): Logger {
  return pino({
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        ...secrets,
        ...secrets.map((name) => `*.${name}`),
        ...secrets.map((name) => `*.*.${name}`),
      ],
      censor: '[hidden]',
    },
    serializers: { err: describeError },
  });
}

/** Errors whose message may quote a provider, which may repeat prompts, keys or names. */
const quoting = /^(Refusal|PaymentRefused|Stripe\w*)$/;

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, status, type } = error as {
    code?: string;
    constraint?: string;
    status?: number;
    type?: string;
  };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  if (quoting.test(error.name) || quoting.test(String(type)))
    return { name: error.name, code, status, ...cause };
  return {
    name: error.name,
    message: maskAddresses(error.message),
    code,
    constraint,
    stack: maskAddresses(error.stack ?? ''),
    ...cause,
  };
}

/** Mail servers repeat the address that they refuse. */
function maskAddresses(text: string): string {
  return text.replace(/[^\s<>"']+/g, (word) => {
    const parts = word.split('/');
    const first = parts.findIndex((part) => part.indexOf('@') > 0);
    return first < 0 ? word : [...parts.slice(0, first), '[address]'].join('/');
  });
}
