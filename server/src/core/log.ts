import pino, { type Logger } from 'pino';
import type { Config } from '../config/config.ts';

/** What must never be read in a log, wherever it turns up. */
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

/** One line of JSON an event. An error keeps its message and stack, but not the values of the statement that failed. */
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
    message: masked(error.message),
    code,
    constraint,
    stack: masked(error.stack ?? ''),
    ...cause,
  };
}

/** A mail server repeats the address that it refuses. */
function masked(text: string): string {
  return text.replace(/[^\s<>"'/]+@[^\s<>"']+/g, '[address]');
}
