import { compileTemplate, maximumPromptLength, missingIn, mostFor } from '@rowmill/contract';
import type { FormEvent } from 'react';
import { Link } from 'react-router';
import { CopyAnswer } from '../../entities/prompt/copy-answer.tsx';
import { ModelSelect, usePrice } from '../../entities/prompt/model-select.tsx';
import { formatNumber } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { showsCredits, useIdentity } from '../../lib/session.ts';
import * as texts from '../../texts/ask.ts';
import { submissionCount } from '../../texts/entities.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-note.tsx';
import { AnswerCard } from './answer-card.tsx';
import { unlessLong, useVariables, variableValues } from './api.ts';
import { type ChangeDraft, type Draft, withEdited } from './draft.ts';
import { PromptEditor } from './prompt/prompt-editor.tsx';
import { PromptReplaced } from './prompt/prompt-replaced.tsx';
import { usePaidRequest } from './use-paid-request.ts';

interface Props {
  draft: Draft;
  changeDraft: ChangeDraft;
}

/** A single prompt is sent with the model alone. */
const withoutOptions = { system: null, outputs: [], max_tokens: null };

export function SinglePrompt({ draft, changeDraft }: Props) {
  const { question, options } = draft;
  const variables = variableValues(useVariables().data) ?? {};
  const ask = usePaidRequest();
  const withBalance = showsCredits(useIdentity());
  const price = usePrice(options.model);
  const missing = missingIn(question, { columns: [], variables });
  const canAsk = question.trim() !== '' && missing.length === 0;
  const filled =
    compileTemplate(question, { columns: [], variables }).fill([], maximumPromptLength) ?? question;
  const most =
    price && mostFor(price, { promptLength: filled.trim().length, options: withoutOptions });
  function submit() {
    if (!canAsk || ask.isPending) return;
    ask.mutate({
      question: filled,
      questionWithVariable: filled === question ? unlessLong(question) : question,
      query: {
        ...(options.model && { model: options.model }),
        ...(most !== undefined && { max_submissions: most }),
      },
    });
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    submit();
  }
  const { answer, creditsAvailable } = ask.data ?? {};
  return (
    <section className="card" aria-labelledby="ask-one-title">
      <h2 id="ask-one-title">{texts.askOneQuestion}</h2>
      <form className="stack" onSubmit={onSubmit} noValidate>
        <PromptEditor
          label={texts.yourQuestion}
          value={question}
          onChange={(question) => changeDraft((draft) => withEdited(draft, { question }))}
          columns={[]}
          variables={Object.keys(variables)}
          missing={missing}
          problem={missing.length > 0 ? texts.noVariable(missing) : undefined}
          hint={
            price?.size && canAsk && most !== undefined
              ? texts.answeredForAtMost(submissionCount(formatNumber(most)))
              : texts.answeredImmediately
          }
          maxLength={maximumPromptLength}
          onSubmit={submit}
        />
        <PromptReplaced field="question" draft={draft} changeDraft={changeDraft} />
        <ModelSelect
          value={options.model}
          onChange={(model) => changeDraft(({ options }) => ({ options: { ...options, model } }))}
        />
        <div className="row">
          <Button type="submit" busy={ask.isPending} disabled={!canAsk}>
            {ask.isPending ? texts.answering : texts.ask}
          </Button>
          <Link to={paths.allPrompts}>{texts.allAnswers}</Link>
        </div>
      </form>
      <ErrorNotice error={ask.error} />
      {answer !== undefined && (
        <AnswerCard isLive title={texts.answer} prompt={ask.variables?.question} answer={answer}>
          {withBalance && creditsAvailable !== undefined && (
            <p className="muted">{texts.submissionsLeft(formatNumber(creditsAvailable))}</p>
          )}
          <div>
            <CopyAnswer answer={answer} />
          </div>
        </AnswerCard>
      )}
    </section>
  );
}
