import { getModels, type Output } from '@rowmill/contract';
import { useState } from 'react';
import { useFormatFinding } from '../../../entities/prompt/model-select.tsx';
import { invalidate } from '../../../lib/api/query.ts';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { AnswerCard } from '../answer-card.tsx';
import type { AskAnswer, AskRequest } from '../api.ts';
import { usePaidRequest } from '../use-paid-request.ts';
import styles from './preview.module.css';

interface Props {
  request: AskRequest;
  /** The number of rows of the batch, and the index of the row that is shown. */
  rows: number;
  index: number;
}

const maximumPreview = 5;
const usualPreview = 2;

/** Answers a few rows, starting with the one that is shown. */
export function PreviewAnswers({ request, rows, index }: Props) {
  const maximum = Math.max(1, Math.min(maximumPreview, rows - index));
  const [chosen, setChosen] = useState(usualPreview);
  const count = Math.min(chosen, maximum);
  // A first answer in columns may have shown what the model makes of their form.
  const preview = usePaidRequest({ onAnswer: () => void invalidate(getModels) });
  const answers = preview.data?.answers;
  const isOutdated = preview.variables && subjectOf(request) !== subjectOf(preview.variables);
  const choices = Array.from({ length: maximum }, (_, index) => String(index + 1));
  return (
    <div className="stack">
      <p className="muted">{texts.previewCost}</p>
      <div className={styles.controls}>
        <ChoiceField
          label={texts.rowsToTry}
          name="preview"
          value={String(count)}
          onChange={({ target }) => setChosen(Number(target.value))}
          choices={choices.map((choice) => [choice, choice])}
        />
        <Button
          variant="secondary"
          busy={preview.isPending}
          onClick={() => preview.mutate(previewRequest(request, index, count))}
        >
          {preview.isPending ? texts.answering : texts.tryRows(count)}
        </Button>
      </div>
      {preview.error && <Notice tone="error">{errorMessage(preview.error)}</Notice>}
      {answers && (
        <AnswerList
          answers={answers}
          model={preview.variables?.query?.model}
          outputs={preview.variables?.query?.outputs}
          isOutdated={isOutdated ?? false}
        />
      )}
    </div>
  );
}

/** Without row numbers the server previews the first rows that are not blank. */
function previewRequest(request: AskRequest, index: number, preview: number): AskRequest {
  const rows = Array.from({ length: preview }, (_, offset) => index + offset);
  return {
    ...request,
    query: { ...request.query, preview, rows: index === 0 ? undefined : rows },
  };
}

/** What answers depend on, whichever rows are chosen. */
function subjectOf({ questionWithVariable, query }: AskRequest): string {
  const { preview, rows, limit, ...options } = query ?? {};
  return JSON.stringify([questionWithVariable, options]);
}

interface AnswerListProps {
  answers: NonNullable<AskAnswer['answers']>;
  model: string | undefined;
  outputs: readonly Output[] | undefined;
  isOutdated: boolean;
}

function AnswerList({ answers, model = '', outputs = [], isOutdated }: AnswerListProps) {
  const finding = useFormatFinding(model);
  const answered = answers.filter(({ problem }) => problem === null).length;
  return (
    <div className="stack">
      <p role="status">{texts.rowsAnswered({ answered, rows: answers.length })}</p>
      {finding && outputs.length > 0 && <p className="muted">{finding}</p>}
      {isOutdated && <Notice tone="warning">{texts.previewOutOfDate}</Notice>}
      {answers.map(({ row, prompt, answer, problem }) => (
        <AnswerCard
          key={row}
          title={texts.rowNumber(formatNumber(row + 1))}
          prompt={prompt}
          answer={answer}
          problem={problem}
          outputs={outputs}
        />
      ))}
    </div>
  );
}
