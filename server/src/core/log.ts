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

/** One JSON line per event. Of an error only message, stack and code are kept, not the values of a failed statement. */
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

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint } = error as { code?: string; constraint?: string };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
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
  return text.replace(/[^\s<>"'/]+@[^\s<>"']+/g, '[address]');
}
