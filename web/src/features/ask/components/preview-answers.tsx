import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { AskAnswer } from '../api.ts';

interface Props {
  answers: NonNullable<AskAnswer['answers']>;
  /** They belong to the question as it was before it was changed. */
  isOld: boolean;
}

/** Each prompt with what came back, always as text. */
export function PreviewAnswers({ answers, isOld }: Props) {
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
