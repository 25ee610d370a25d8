import { askChatGpt, getModels } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api/api-client.ts';
import { invalidate } from '../../lib/api/query.ts';
import { type PendingStorage, useIdempotencyKey } from '../../lib/hooks/use-idempotency-key.ts';
import { type AskAnswer, type AskRequest, invalidateSpending } from './api.ts';

interface Options extends PendingStorage {
  onAnswer?: (answer: AskAnswer, request: AskRequest) => void;
}

/** Sends a request that costs submissions. Repeating the same request never charges twice. */
export function usePaidRequest({ onAnswer, ...storage }: Options = {}) {
  const once = useIdempotencyKey(storage);
  return useMutation({
    mutationFn: (request: AskRequest) =>
      once(request, (idempotencyKey) => call(askChatGpt, request, { idempotencyKey })),
    onSuccess: onAnswer,
    // A refusal may be about a model or price that has changed since the list was fetched.
    onError: () => void invalidate(getModels),
    onSettled: invalidateSpending,
  });
}
