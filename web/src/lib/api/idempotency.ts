import { newIdempotencyKey } from './api-client.ts';
import { Refusal } from './refusal.ts';

/** A request that takes effect once, by the idempotency key that it carries. */
export interface KeyedRequest {
  body: string;
  key: string;
}

/** The same request keeps its key until its outcome is known; a different one gets a new key. */
export function withKey(body: string, pending: KeyedRequest | null): KeyedRequest {
  return pending?.body === body ? pending : { body, key: newIdempotencyKey() };
}

const statusesWithoutEffect: readonly number[] = [402, 404, 415, 422, 502];

/**
 * Whether the server may have run a request although an error came back: the connection broke, the
 * server failed or it is still working. The next try then needs the same key. After a clear refusal
 * it gets a new one.
 */
export function mayHaveRun(error: unknown): boolean {
  return !(error instanceof Refusal) || !statusesWithoutEffect.includes(error.status);
}
