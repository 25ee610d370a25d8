import type { Batch } from '@rowmill/contract';
import * as texts from '../../../texts/batches.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { LongText } from '../long-text.tsx';

/** The prompt of a batch, its model and its columns. */
export function BatchPrompt({ batch }: { batch: Batch }) {
  const { question, model, columns, outputs } = batch;
  return (
    <section className="card" aria-labelledby="prompt-title">
      <h2 id="prompt-title">{texts.prompt}</h2>
      <LongText label={texts.promptText} text={question} />
      <FactList
        facts={[
          { name: texts.model, value: model },
          { name: texts.sheetColumns, value: columns.join(', ') },
          { name: texts.answerColumns, value: outputs.join(', ') || texts.oneAnswerColumn },
        ]}
      />
    </section>
  );
}
