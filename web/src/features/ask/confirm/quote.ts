import type { AnswerOf, askChatGpt } from '@rowmill/contract';

export type Quote = NonNullable<AnswerOf<typeof askChatGpt>['quote']>;

/** What a quote means for the balance. A batch whose rows a preview has answered already costs nothing and can be made too. */
export function figuresOf({
  rows,
  blank,
  needed,
  available,
}: Pick<Quote, 'rows' | 'blank' | 'needed' | 'available'>) {
  const missing = Math.max(0, needed - available);
  const isEmpty = rows - blank <= 0;
  return {
    isEmpty,
    missing,
    after: Math.max(0, available - needed),
    canStart: missing === 0 && !isEmpty,
  };
}
