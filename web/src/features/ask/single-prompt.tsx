import { compileTemplate, maximumQuestionLength, missingIn } from '@rowmill/contract';
import type { FormEvent } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { wordsFor } from '../../lib/refusal.ts';
import * as texts from '../../texts/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useVariables, valuesOf } from './api.ts';
import type { Change, Draft } from './draft.ts';
import { usePaidAsk } from './paid-request.ts';
import { ModelSelect } from './prompt/model-select.tsx';
import { QuestionEditor } from './prompt/prompt-editor.tsx';

interface Props {
  draft: Draft;
  change: Change;
}

/** One question, one answer, now. */
export function SingleQuestion({ draft: { single, options }, change }: Props) {
  const variables = valuesOf(useVariables().data) ?? {};
  const ask = usePaidAsk();
  const missing = missingIn(single, { columns: [], variables });
  const canAsk = single.trim() !== '' && missing.length === 0;
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (!canAsk) return;
    const question = compileTemplate(single, { columns: [], variables })([]);
    ask.mutate({
      question,
      questionWithVariable: single,
      query: options.model ? { model: options.model } : {},
    });
  }
  const { answer, creditsAvailable } = ask.data ?? {};
  return (
    <section className="card" aria-labelledby="ask-single">
      <h2 id="ask-single">{texts.askOne}</h2>
      <form className="stack" onSubmit={onSubmit} noValidate>
        <QuestionEditor
          label={texts.yourQuestion}
          value={single}
          onChange={(text) => change({ single: text })}
          columns={[]}
          variables={Object.keys(variables)}
          problem={missing.length > 0 ? texts.noSuchVariable(texts.listed(missing)) : undefined}
          hint={texts.answeredAtOnce}
          maxLength={maximumQuestionLength}
        />
        <ModelSelect
          value={options.model}
          onChange={(model) => change((now) => ({ options: { ...now.options, model } }))}
        />
        <div>
          <Button type="submit" busy={ask.isPending} disabled={!canAsk}>
            {ask.isPending ? texts.answering : texts.ask}
          </Button>
        </div>
      </form>
      {ask.error && <Notice tone="error">{wordsFor(ask.error)}</Notice>}
      {answer !== undefined && (
        <article className="ask-answer" aria-live="polite">
          <h3>{texts.answer}</h3>
          <p className="ask-plain soft">{ask.variables?.question}</p>
          <p className="ask-plain">{answer}</p>
          {creditsAvailable !== undefined && (
            <p className="soft">{texts.submissionsAfter(formatNumber(creditsAvailable))}</p>
          )}
        </article>
      )}
    </section>
  );
}
