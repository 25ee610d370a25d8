import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { KeyedRequest } from '../../../lib/api/idempotency.ts';
import { useDebouncedValue } from '../../../lib/hooks/timing.ts';
import type { PendingStorage } from '../../../lib/hooks/use-idempotency-key.ts';
import { useIsOpen } from '../../../lib/hooks/use-is-open.ts';
import { batchPath } from '../../../lib/paths.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/cost.ts';
import { type AskRequest, useQuote } from '../api.ts';
import { usePaidRequest } from '../use-paid-request.ts';

interface Options extends Required<PendingStorage> {
  request: AskRequest | null;
  /** Also after its page was left. */
  onStarted: (started: AskRequest) => void;
}

const debounceMilliseconds = 600;

/** The quote of a request, and its start. Only a request that has been quoted can be started. */
export function useRun({ request, pending, onPending, onStarted }: Options) {
  const navigate = useNavigate();
  const isOpen = useIsOpen();
  const body = request ? JSON.stringify(request) : null;
  const debounced = useDebouncedValue(body, debounceMilliseconds);
  const query = useQuote(body === debounced ? request : null);
  // The last quote stays in view until the next one is there.
  const [quote, setQuote] = useState(query.data);
  if (query.data && query.data !== quote) setQuote(query.data);
  const { mutate, isPending, error, variables } = usePaidRequest({
    pending,
    onPending,
    onAnswer: ({ batch }, request) => {
      if (!batch) return;
      onStarted(request);
      if (isOpen()) void navigate(batchPath(batch.id));
      else showToast('success', texts.batchStarted(batch.name));
    },
  });
  return {
    query,
    quote,
    isStarting: isPending,
    /** The answer to the start of this request was lost: the batch may run. */
    mayHaveStarted: !isPending && repeatedStart(request, pending) !== null,
    /** Why this request was not started. Another one has not been refused. */
    error: isSameStart(request, variables) ? error : null,
    /** A partial batch pauses when the submissions are used up. */
    start: (isPartial: boolean) => {
      const query = { ...request?.query, start: true, ...(isPartial && { partial: true }) };
      mutate(agreedStart({ ...request, query }, { needed: quote?.needed, pending }));
    },
  };
}

/**
 * A start that costs at most what the quote said. One with an unknown outcome is repeated as it was
 * sent, whatever the present quote says, so that no second batch is started.
 */
export function agreedStart(
  request: AskRequest,
  { needed, pending }: { needed: number | undefined; pending: KeyedRequest | null },
): AskRequest {
  const sent = repeatedStart(request, pending);
  if (sent) return sent;
  if (needed === undefined) return request;
  return { ...request, query: { ...request.query, max_submissions: needed } };
}

/** The start with an unknown outcome, if it was for the same request. */
function repeatedStart(
  request: AskRequest | null,
  pending: KeyedRequest | null,
): AskRequest | null {
  if (!pending) return null;
  const sent = JSON.parse(pending.body) as AskRequest;
  return isSameStart(request, sent) ? sent : null;
}

function isSameStart(request: AskRequest | null, sent: AskRequest | undefined): boolean {
  return !!request && !!sent && subjectOf(sent) === subjectOf(request);
}

/** What a start asks for, without what moves with the balance, the price and the day. */
function subjectOf({ query = {}, ...rest }: AskRequest): string {
  const { start, partial, max_submissions, finish_by, ...asked } = query;
  return JSON.stringify({ ...rest, asked, isEconomy: finish_by !== undefined });
}

export type Run = ReturnType<typeof useRun>;
