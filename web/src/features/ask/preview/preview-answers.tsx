import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/choice-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { AskAnswer, AskRequest } from '../api.ts';
import { usePaidAsk } from '../paid-request.ts';

interface PreviewSectionProps {
  request: AskRequest;
  /** How many the batch will have, and the position of the one that is shown. */
  rows: number;
  index: number;
}

const previewedAtMost = 5;

export function PreviewSection({ request, rows, index }: PreviewSectionProps) {
  const most = Math.max(1, Math.min(previewedAtMost, rows - index));
  const [wanted, setWanted] = useState(2);
  const count = Math.min(wanted, most);
  const preview = usePaidAsk();
  const answered = preview.data?.answers;
  const isOld = preview.variables !== undefined && askedOf(request) !== askedOf(preview.variables);
  const choices = Array.from(
    { length: most },
    (_, more) => [String(more + 1), String(more + 1)] as const,
  );
  return (
    <div className="stack">
      <p className="soft">{texts.tryRows}</p>
      <div className="ask-rowpicker">
        <ChoiceField
          label={texts.rowsToAnswer}
          name="preview"
          value={String(count)}
          onChange={({ target }) => setWanted(Number(target.value))}
          choices={choices}
        />
        <Button
          variant="secondary"
          busy={preview.isPending}
          onClick={() => preview.mutate(previewOf(request, index, count))}
        >
          {preview.isPending ? texts.answering : texts.answerNow(count)}
        </Button>
      </div>
      {preview.error && <Notice tone="error">{wordsFor(preview.error)}</Notice>}
      {answered && <PreviewAnswers answers={answered} isOld={isOld} />}
    </div>
  );
}

/** From the first row on the server itself passes over the blank ones. */
function previewOf(request: AskRequest, index: number, preview: number): AskRequest {
  const rows = index === 0 ? undefined : Array.from({ length: preview }, (_, more) => index + more);
  return { ...request, query: { ...request.query, preview, rows } };
}

/** What is asked, of whichever rows. */
function askedOf({ questionWithVariable, query }: AskRequest): string {
  const { preview, rows, limit, ...options } = query ?? {};
  return JSON.stringify([questionWithVariable, options]);
}

interface PreviewAnswersProps {
  answers: NonNullable<AskAnswer['answers']>;
  /** They belong to the question as it was before it was changed. */
  isOld: boolean;
}

/** Each prompt with what came back, always as text. */
export function PreviewAnswers({ answers, isOld }: PreviewAnswersProps) {
  const good = answers.filter(({ answer }) => answer !== null).length;
  return (
    <div className="stack">
      <p role="status">{texts.rowsAnswered({ good, rows: answers.length })}</p>
      {isOld && <Notice tone="warning">{texts.answersAreOld}</Notice>}
      {answers.map(({ row, prompt, answer, problem }) => (
        <article key={row} className="ask-answer">
          <h3>{texts.rowNumber(formatNumber(row + 1))}</h3>
          <p className="ask-plain soft">{prompt}</p>
          {answer === null ? (
            <Notice tone="error">{problem ?? texts.noAnswer}</Notice>
          ) : (
            <p className="ask-plain">{answer}</p>
          )}
        </article>
      ))}
    </div>
  );
}
