import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Step } from '../step.tsx';
import { summariseQuote } from './quote.ts';
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
export function ConfirmStep({ blockedBy, run, limit, onRowLimit }: Props) {
  return (
    <Step number={4} title={texts.confirmStep} blockedBy={blockedBy}>
      <Loading query={run.query}>
        {(quote) => {
          const { missing, rowsToRun, isLimitedByMonth } = summariseQuote(quote);
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
            </div>
          );
        }}
      </Loading>
    </Step>
  );
}
