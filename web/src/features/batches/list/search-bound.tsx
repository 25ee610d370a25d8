import type { AnswerOf, getProcessedFiles } from '@rowmill/contract';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches.ts';

/** Says how far a search looked, when it did not look at everything. */
export function SearchBound({ searched }: Pick<AnswerOf<typeof getProcessedFiles>, 'searched'>) {
  if (!searched) return null;
  const { names, prompts } = searched;
  return (
    <p className="muted">{texts.searchedNewest(formatNumber(names), formatNumber(prompts))}</p>
  );
}
