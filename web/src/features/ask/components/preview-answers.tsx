import { formatNumber } from '../../../lib/format.ts';
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
      <p role="status">
        {good} of {answers.length} {answers.length === 1 ? 'row is' : 'rows are'} answered.
      </p>
      {isOld && <Notice tone="warning">You have changed something since. These answers are to what was asked before.</Notice>}
      {answers.map(({ row, prompt, answer, problem }) => (
        <article key={row} className="ask-answer">
          <h3>Row {formatNumber(row + 1)}</h3>
          <p className="ask-plain soft">{prompt}</p>
          {answer === null ? <Notice tone="error">{problem ?? 'No answer.'}</Notice> : <p className="ask-plain">{answer}</p>}
        </article>
      ))}
    </div>
  );
}
