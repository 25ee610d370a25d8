import { useNavigate } from 'react-router';
import { formatNumber } from '../../../lib/format.ts';
import { batchPath } from '../../../lib/paths.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type AskRequest, useQuote } from '../api.ts';
import type { KeyedAct } from '../paid-request.ts';
import { usePaidAsk } from '../paid-request.ts';
import { Step } from '../step.tsx';
import { figuresOf } from './quote.ts';
import { QuoteTable } from './quote-table.tsx';
import { ShortBalance } from './short-balance.tsx';

interface Props {
  waitsFor: string | null;
  request: AskRequest | null;
  /** A start whose outcome is not known yet; it outlives a reload, so that starting again starts nothing twice. */
  pending: KeyedAct | null;
  onPending: (act: KeyedAct | null) => void;
  onLimit: (limit: string) => void;
  onStarted: () => void;
}

const restMilliseconds = 600;

/** What it costs, and the start. Only what was quoted exactly so can be started. */
export function ConfirmStep({ waitsFor, request, pending, onPending, onLimit, onStarted }: Props) {
  const navigate = useNavigate();
  const body = request ? JSON.stringify(request) : null;
  const settled = useSettled(body, restMilliseconds);
  const isSettled = body !== null && body === settled;
  const query = useQuote(isSettled ? request : null);
  const start = usePaidAsk({
    pending,
    onPending,
    onDone: ({ batch }) => {
      if (!batch) return;
      onStarted();
      void navigate(batchPath(batch.id));
    },
  });
  const begin = (how: AskRequest['query']) =>
    start.mutate({ ...request, query: { ...request?.query, start: true, ...how } });
  const limit = request?.query?.limit;
  return (
    <Step number={4} title={texts.confirmStep} waitsFor={waitsFor}>
      <Loading query={query}>
        {(quote) => {
          const { canStart, isEmpty, missing } = figuresOf(quote);
          return (
            <div className="stack">
              <QuoteTable quote={quote} />
              {isEmpty && <Notice tone="warning">{texts.allBlank}</Notice>}
              {missing > 0 && (
                <ShortBalance
                  covered={quote.covered}
                  missing={missing}
                  busy={start.isPending}
                  onPartial={() => begin({ partial: true })}
                  onLimit={onLimit}
                />
              )}
              {limit !== undefined && (
                <p>
                  {texts.onlyFirst(limit, formatNumber(limit))}{' '}
                  <Button variant="ghost" onClick={() => onLimit('')}>
                    {texts.askAll}
                  </Button>
                </p>
              )}
              <div>
                <Button busy={start.isPending} disabled={!canStart} onClick={() => begin({})}>
                  {texts.start}
                </Button>
              </div>
            </div>
          );
        }}
      </Loading>
      {start.error && <Notice tone="error">{wordsFor(start.error)}</Notice>}
    </Step>
  );
}
