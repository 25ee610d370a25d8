import { askChatGpt } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { call, newKey } from '../../lib/api-client.ts';
import { Refusal } from '../../lib/refusal.ts';
import { type AskAnswer, type AskRequest, invalidateSpending } from './api.ts';

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

interface Options {
  /** Where the act that is not settled yet is kept, if it must outlive this page. */
  pending?: KeyedAct | null;
  onPending?: (act: KeyedAct | null) => void;
  onDone?: (answer: AskAnswer) => void;
}

/** Asks what costs submissions: however often it is pressed or repeated, the same request takes effect once. */
export function usePaidAsk({ pending = null, onPending, onDone }: Options = {}) {
  const open = useRef(pending);
  function settle(act: KeyedAct | null): void {
    open.current = act;
    onPending?.(act);
  }
  return useMutation({
    mutationFn: (request: AskRequest) => {
      const act = actFor(JSON.stringify(request), open.current);
      settle(act);
      return call(askChatGpt, request, { idempotencyKey: act.key });
    },
    onSuccess: (answer) => {
      settle(null);
      invalidateSpending();
      onDone?.(answer);
    },
    onError: (error) => {
      if (!isOpen(error)) settle(null);
      invalidateSpending();
    },
  });
}
