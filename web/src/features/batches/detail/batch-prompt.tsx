import { type Batch, outputNames, variablesIn } from '@rowmill/contract';
import { useState } from 'react';
import { useFormatFinding } from '../../../entities/prompt/model-select.tsx';
import * as texts from '../../../texts/batches/batch.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import styles from './batch-detail.module.css';

/** The prompt in one line. It opens to the whole text, with the model and the columns. */
export function BatchPrompt({ batch }: { batch: Batch }) {
  const [isOpen, setOpen] = useState(false);
  const { question, model, outputs } = batch;
  return (
    <div className={styles.prompt}>
      <div className={styles.promptLine}>
        {!isOpen && (
          <p className={`muted cut ${styles.oneLine}`} dir="auto">
            <MarkedPrompt text={question.slice(0, 400)} />
          </p>
        )}
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? texts.hidePrompt : texts.showPrompt}
        </button>
      </div>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the keyboard
        <section className={styles.wholePrompt} tabIndex={0} aria-label={texts.promptText}>
          <p className="written">
            <MarkedPrompt text={question} />
          </p>
          <PromptFacts model={model} outputs={outputs} />
        </section>
      )}
    </div>
  );
}

function PromptFacts({ model, outputs }: Pick<Batch, 'model' | 'outputs'>) {
  const finding = useFormatFinding(model);
  const columns = outputNames(outputs).join(', ') || texts.oneAnswerColumn;
  return (
    <FactList
      facts={[
        { name: texts.model, value: model },
        { name: texts.answerColumns, value: columns },
        ...(finding && outputs.length > 0 ? [{ name: texts.answerForm, value: finding }] : []),
      ]}
    />
  );
}

/** A prompt with its variables marked. */
function MarkedPrompt({ text }: { text: string }) {
  const names = new Set(variablesIn(text));
  return text.split(/(\{\{[^{}]{1,400}\}\})/).map((part, index) => {
    const name = part.slice(2, -2).trim();
    const isVariable = part.startsWith('{{') && part.endsWith('}}') && names.has(name);
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
    return isVariable ? <mark key={index}>{name}</mark> : part;
  });
}
