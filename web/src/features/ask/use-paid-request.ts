import { askChatGpt } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { type KeyedRequest, mayHaveRun, withKey } from '../../lib/api/idempotency.ts';
import { type AskAnswer, type AskRequest, invalidateSpending } from './api.ts';

interface Options {
  /** A request with an unknown outcome from before a reload, and where to store such a one. */
  pending?: KeyedRequest | null;
  onPending?: (pending: KeyedRequest | null) => void;
  onAnswer?: (answer: AskAnswer) => void;
}

/** Sends a request that costs submissions. Repeating the same request never charges twice. */
export function usePaidRequest({ pending = null, onPending, onAnswer }: Options = {}) {
  const current = useRef(pending);
  function setPending(next: KeyedRequest | null): void {
    current.current = next;
    onPending?.(next);
  }
  return useMutation({
    mutationFn: (request: AskRequest) => {
      const keyed = withKey(JSON.stringify(request), current.current);
      setPending(keyed);
      return call(askChatGpt, request, { idempotencyKey: keyed.key });
    },
    onSuccess: (answer) => {
      setPending(null);
      invalidateSpending();
      onAnswer?.(answer);
    },
    onError: (error) => {
      if (!mayHaveRun(error)) setPending(null);
      invalidateSpending();
    },
  });
}
