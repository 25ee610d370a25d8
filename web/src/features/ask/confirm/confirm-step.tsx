import { useNavigate } from 'react-router';
import type { KeyedRequest } from '../../../lib/api/idempotency.ts';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useDebouncedValue } from '../../../lib/hooks/timing.ts';
import { batchPath } from '../../../lib/paths.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type AskRequest, useQuote } from '../api.ts';
import { Step } from '../step.tsx';
import { usePaidRequest } from '../use-paid-request.ts';
import { summariseQuote } from './quote.ts';
import { QuoteTable } from './quote-table.tsx';
import { ShortBalance } from './short-balance.tsx';

interface Props {
  blockedBy: string | null;
  request: AskRequest | null;
  /** A start with an unknown outcome. It survives a reload, so starting again does not start a second batch. */
  pending: KeyedRequest | null;
  onPending: (pending: KeyedRequest | null) => void;
  onRowLimit: (limit: string) => void;
  onStarted: () => void;
}

const debounceMilliseconds = 600;

/** The cost and the start button. Only a request that has been quoted can be started. */
export function ConfirmStep(props: Props) {
  const { blockedBy, request, pending, onPending, onRowLimit, onStarted } = props;
  const navigate = useNavigate();
  const body = request ? JSON.stringify(request) : null;
  const debounced = useDebouncedValue(body, debounceMilliseconds);
  const query = useQuote(body === debounced ? request : null);
  const start = usePaidRequest({
    pending,
    onPending,
    onAnswer: ({ batch }) => {
      if (!batch) return;
      onStarted();
      void navigate(batchPath(batch.id));
    },
  });
  const startBatch = (options: AskRequest['query']) =>
    start.mutate({ ...request, query: { ...request?.query, start: true, ...options } });
  const limit = request?.query?.limit;
  return (
    <Step number={4} title={texts.confirmStep} blockedBy={blockedBy}>
      <Loading query={query}>
        {(quote) => {
          const { canStart, missing, rowsToRun, isLimitedByMonth } = summariseQuote(quote);
          return (
            <div className="stack">
              <QuoteTable quote={quote} />
              {quote.blocked && <Notice tone="warning">{quote.blocked}</Notice>}
              {rowsToRun === 0 && missing === 0 && (
                <Notice tone="warning">{texts.nothingToRun}</Notice>
              )}
              {missing > 0 && !quote.blocked && (
                <ShortBalance
                  quote={quote}
                  missing={missing}
                  isLimitedByMonth={isLimitedByMonth}
                  onRowLimit={onRowLimit}
                />
              )}
              {limit !== undefined && (
                <p>
                  {texts.onlyFirstRows(limit, formatNumber(limit))}{' '}
                  <Button variant="ghost" onClick={() => onRowLimit('')}>
                    {texts.includeAllRows}
                  </Button>
                </p>
              )}
              <div>
                <Button
                  busy={start.isPending}
                  disabled={!canStart}
                  onClick={() => startBatch(missing > 0 ? { partial: true } : {})}
                >
                  {texts.runRows(rowsToRun, formatNumber(rowsToRun))}
                </Button>
              </div>
            </div>
          );
        }}
      </Loading>
      {start.error && <Notice tone="error">{errorMessage(start.error)}</Notice>}
    </Step>
  );
}
