import type { AnswerOf, askChatGpt } from '@rowmill/contract';

export type Quote = NonNullable<AnswerOf<typeof askChatGpt>['quote']>;
type Figures = Pick<Quote, 'rows' | 'blank' | 'needed' | 'available'>;

/** What a quote means for the balance. Rows answered in a preview cost nothing, so 0 submissions can start. */
export function summariseQuote({ rows, blank, needed, available }: Figures) {
  const missing = Math.max(0, needed - available);
  const rowsToRun = Math.max(0, rows - blank);
  return {
    rowsToRun,
    missing,
    balanceAfter: Math.max(0, available - needed),
    canStart: missing === 0 && rowsToRun > 0,
  };
}
