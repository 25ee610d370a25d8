import { newKey } from '../../lib/api-client.ts';
import { Refusal } from '../../lib/refusal.ts';

/** A request that costs something, with the key under which the server does it once. */
export interface KeyedAct {
  body: string;
  key: string;
}

/** The same request keeps its key until its outcome is known; another one gets a key of its own. */
export function actFor(body: string, pending: KeyedAct | null): KeyedAct {
  return pending?.body === body ? pending : { body, key: newKey() };
}

const withoutEffect: readonly number[] = [402, 404, 415, 422, 502];

/**
 * Whether a failure leaves open what became of the request. A line that broke, a server that fell or one that is still
 * at it may have done it: the next try must carry the same key. After a plain no the next try is an act of its own.
 */
export function isOpen(error: unknown): boolean {
  return !(error instanceof Refusal) || !withoutEffect.includes(error.status);
}
