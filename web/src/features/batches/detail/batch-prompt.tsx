import type { Batch } from '@rowmill/contract';
import * as texts from '../../../texts/batches.ts';

/** What was asked of every row. */
export function BatchQuestion({
  batch,
}: {
  batch: Pick<Batch, 'question' | 'model' | 'outputs' | 'columns'>;
}) {
  return (
    <section className="card" aria-labelledby="question-title">
      <h2 id="question-title">{texts.prompt}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="batch-text" tabIndex={0} aria-label={texts.promptText}>
        {batch.question}
      </section>
      <dl className="batch-facts">
        <div>
          <dt>{texts.model}</dt>
          <dd>{batch.model}</dd>
        </div>
        <div>
          <dt>{texts.sheetColumns}</dt>
          <dd>{batch.columns.join(', ')}</dd>
        </div>
        <div>
          <dt>{texts.answerColumns}</dt>
          <dd>{batch.outputs.length > 0 ? batch.outputs.join(', ') : texts.oneAnswerColumn}</dd>
        </div>
      </dl>
    </section>
  );
}
