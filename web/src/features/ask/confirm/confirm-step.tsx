import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Step } from '../step.tsx';
import { EstimateLine } from './estimate-line.tsx';
import { type Quote, summariseQuote } from './quote.ts';
import { QuoteTable } from './quote-table.tsx';
import { ShortBalance } from './short-balance.tsx';
import type { Run } from './use-run.ts';

interface Props {
  blockedBy: string | null;
  run: Run;
  /** The most rows that are wanted. */
  limit: number | undefined;
  onRowLimit: (limit: string) => void;
}

/** The cost in full, and what else can be run when it is too much. */
export function ConfirmStep({ blockedBy, run, ...limits }: Props) {
  const { query, quote } = run;
  return (
    <Step number={4} title={texts.confirmStep} blockedBy={blockedBy}>
      {quote && !query.isError ? (
        <Cost quote={quote} isStale={!query.data} {...limits} />
      ) : (
        <Loading query={query}>{(quote) => <Cost quote={quote} {...limits} />}</Loading>
      )}
    </Step>
  );
}

interface CostProps extends Pick<Props, 'limit' | 'onRowLimit'> {
  quote: Quote;
  isStale?: boolean;
}

function Cost({ quote, isStale = false, limit, onRowLimit }: CostProps) {
  const { missing, rowsToRun, isLimitedByMonth } = summariseQuote(quote);
  return (
    <div className="stack" aria-busy={isStale}>
      <QuoteTable quote={quote} />
      <EstimateLine quote={quote} />
      {quote.blocked && <Notice tone="warning">{quote.blocked}</Notice>}
      {rowsToRun === 0 && missing === 0 && <Notice tone="warning">{texts.nothingToRun}</Notice>}
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
    </div>
  );
}
