import type { AnswerOf, askChatGpt } from '@rowmill/contract';
import { formatNumber, formatUtcDay } from '../../../lib/format.ts';
import * as texts from '../../../texts/cost.ts';

export type Quote = NonNullable<AnswerOf<typeof askChatGpt>['quote']>;
type Figures = Pick<
  Quote,
  'rows' | 'blank' | 'needed' | 'available' | 'debt' | 'monthly' | 'covered' | 'blocked'
>;

/**
 * What a quote means: how many rows can run now, within the balance and the monthly limit, and what
 * is missing for the rest, with a debt. Rows answered in a preview cost nothing, so 0 submissions
 * can start. A batch that may have started has its submissions already, so its start can be
 * repeated.
 */
export function summariseQuote(
  { rows, blank, needed, available, debt, monthly, covered, blocked }: Figures,
  mayHaveStarted = false,
) {
  const usable = Math.min(available, monthly?.left ?? available);
  const missing = mayHaveStarted ? 0 : Math.max(0, needed + debt - usable);
  const rowsToRun = missing > 0 ? covered : Math.max(0, rows - blank);
  const isLimitedByMonth = missing > 0 && available >= needed + debt;
  return {
    rowsToRun,
    missing,
    /** The balance would do; the monthly limit does not. */
    isLimitedByMonth,
    canBuy: missing > 0 && !isLimitedByMonth && (blocked === null || debt > 0),
    balanceAfter: Math.max(0, available - needed),
    canStart: mayHaveStarted || (blocked === null && rowsToRun > 0),
  };
}

/** What is missing to run every row, in a sentence. */
export function shortageInWords(
  { monthly }: Pick<Quote, 'monthly'>,
  { missing, isLimitedByMonth }: { missing: number; isLimitedByMonth: boolean },
): string {
  if (!isLimitedByMonth || !monthly) return texts.submissionsShort(missing, formatNumber(missing));
  return texts.monthlyLimitLeaves({
    limit: formatNumber(monthly.limit),
    left: formatNumber(monthly.left),
    until: formatUtcDay(monthly.resets_at),
  });
}

const mostNamed = 3;

/** Which rows of the sheet run, as far as they fit in a line. */
export function rowsInWords(selected: readonly number[], count: number): string {
  const named = selected.slice(0, mostNamed).map((row) => formatNumber(row + 1));
  return texts.namedRows(named, count - named.length, formatNumber(count - named.length));
}
