import { askChatGpt } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../lib/api-client.ts';
import { type AskAnswer, type AskRequest, useSpent } from './api.ts';
import { actFor, isOpen, type KeyedAct } from './keyed-act.ts';

interface Options {
  userId: string;
  /** Where the act that is not settled yet is kept, if it must outlive this page. */
  pending?: KeyedAct | null;
  onPending?: (act: KeyedAct | null) => void;
  onDone?: (answer: AskAnswer) => void;
}

/** Asks what costs submissions: however often it is pressed or repeated, the same request takes effect once. */
export function usePaidAsk({ userId, pending = null, onPending, onDone }: Options) {
  const open = useRef(pending);
  const onSpent = useSpent(userId);
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
      onSpent();
      onDone?.(answer);
    },
    onError: (error) => {
      if (!isOpen(error)) settle(null);
      onSpent();
    },
  });
}
