import { useRef } from 'react';
import { type KeyedRequest, mayHaveRun, withKey } from '../api/idempotency.ts';

export interface PendingStorage {
  /** A request with an unknown outcome from before a reload. */
  pending?: KeyedRequest | null;
  /** Stores such a request, or that the outcome of the one with this key is known. */
  onPending?: (pending: KeyedRequest | null, key: string) => void;
}

/** Runs a request so that it takes effect once: after an unknown outcome it keeps its key. */
export function useIdempotencyKey({ pending = null, onPending }: PendingStorage = {}) {
  const current = useRef(pending);
  function setPending(next: KeyedRequest | null, key: string): void {
    current.current = next;
    onPending?.(next, key);
  }
  return async <T>(request: unknown, run: (key: string) => Promise<T>): Promise<T> => {
    const keyed = withKey(JSON.stringify(request), current.current);
    setPending(keyed, keyed.key);
    try {
      const answer = await run(keyed.key);
      setPending(null, keyed.key);
      return answer;
    } catch (error) {
      if (!mayHaveRun(error)) setPending(null, keyed.key);
      throw error;
    }
  };
}
