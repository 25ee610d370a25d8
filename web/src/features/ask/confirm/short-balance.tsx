import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/cost.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type Quote, shortageInWords } from './quote.ts';

interface Props {
  quote: Quote;
  missing: number;
  isLimitedByMonth: boolean;
  onRowLimit: (limit: string) => void;
}

/**
 * Too few submissions for every row: what is missing, and what else the person can do than run the
 * rows that are covered.
 */
export function ShortBalance({ quote, missing, isLimitedByMonth, onRowLimit }: Props) {
  const { covered } = quote;
  const rows = formatNumber(covered);
  return (
    <Notice tone="warning">
      <div className="stack">
        <p>
          {shortageInWords(quote, { missing, isLimitedByMonth })}{' '}
          {covered > 0 ? texts.coveredRowsRun(covered, rows) : texts.noRowCovered}
        </p>
        {covered > 0 && (
          <div>
            <Button variant="secondary" onClick={() => onRowLimit(String(covered))}>
              {texts.limitToFirstRows(covered, rows)}
            </Button>
          </div>
        )}
      </div>
    </Notice>
  );
}
