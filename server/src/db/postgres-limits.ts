import { PatientClient } from './patient-client.ts';

/**
 * Limits of every connection to PostgreSQL. The server ends statements after 30 s; the client gives up 5 s later, because a
 * connection that a firewall dropped never answers at all.
 */
export const connectionLimits = {
  connectionTimeoutMillis: 2_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  statement_timeout: 30_000,
  query_timeout: 35_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/** Of every pool, the queue's too. */
export const poolLimits = {
  ...connectionLimits,
  Client: PatientClient,
} as const;

/** A request whose row or table stays locked gets 503 after this; the engine tries again. */
export const lockTimeoutMilliseconds = 2_000;

/** The queue's statements are short; its polls for every kind of job come at once, and share these. */
export const queueConnections = 4;
