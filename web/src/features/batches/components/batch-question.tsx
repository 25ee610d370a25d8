import type { Batch } from '@rowmill/contract';

/** What was asked of every row. */
export function BatchQuestion({ batch }: { batch: Pick<Batch, 'question' | 'model' | 'outputs' | 'columns'> }) {
  return (
    <section className="card" aria-labelledby="question-title">
      <h2 id="question-title">What is asked</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="batch-text" tabIndex={0} aria-label="Question">
        {batch.question}
      </section>
      <dl className="batch-facts">
        <div>
          <dt>Model</dt>
          <dd>{batch.model}</dd>
        </div>
        <div>
          <dt>Columns of the sheet</dt>
          <dd>{batch.columns.join(', ')}</dd>
        </div>
        <div>
          <dt>Columns of the answer</dt>
          <dd>{batch.outputs.length > 0 ? batch.outputs.join(', ') : 'One, with the whole answer'}</dd>
        </div>
      </dl>
    </section>
  );
}
