import { useRef } from 'react';
import { type KeyedRequest, mayHaveRun, withKey } from '../api/idempotency.ts';

interface Options {
  /** A request with an unknown outcome from before a reload, and where to store such a one. */
  pending?: KeyedRequest | null;
  onPending?: (pending: KeyedRequest | null) => void;
}

/** Runs a request so that it takes effect once: after an unknown outcome it keeps its key. */
export function useIdempotencyKey({ pending = null, onPending }: Options = {}) {
  const current = useRef(pending);
  function setPending(next: KeyedRequest | null): void {
    current.current = next;
    onPending?.(next);
  }
  return async <T>(request: unknown, run: (key: string) => Promise<T>): Promise<T> => {
    const keyed = withKey(JSON.stringify(request), current.current);
    setPending(keyed);
    try {
      const answer = await run(keyed.key);
      setPending(null);
      return answer;
    } catch (error) {
      if (!mayHaveRun(error)) setPending(null);
      throw error;
    }
  };
}
