import { useState } from 'react';
import { formatNumber, formatTime } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useRecentQuestions } from '../api.ts';

interface Props {
  userId: string;
  present: string;
  onTake: (question: string) => void;
}

/** What was asked before, to be asked again. What stood in the field can be put back. */
export function RecentQuestions({ userId, present, onTake }: Props) {
  const [before, setBefore] = useState('');
  const query = useRecentQuestions(userId);
  function take(question: string) {
    setBefore(present.trim() && present !== question ? present : '');
    onTake(question);
  }
  function putBack() {
    onTake(before);
    setBefore('');
  }
  return (
    <details className="ask-details">
      <summary>Recent questions</summary>
      <div className="stack">
        {before && (
          <Notice>
            <p>The question above was replaced.</p>
            <Button variant="ghost" onClick={putBack}>
              Put mine back
            </Button>
          </Notice>
        )}
        <Loading query={query}>
          {(questions) =>
            questions.length === 0 ? (
              <p className="soft">You have not asked anything yet. Your last ten questions will be here.</p>
            ) : (
              <ul className="plain stack">
                {questions.map(({ id, question, asked_at, rows }) => (
                  <li key={id}>
                    <button type="button" className="ask-recent" onClick={() => take(question)}>
                      <span className="ask-clip">{question}</span>
                      <span className="soft">
                        {formatTime(asked_at)}, {formatNumber(rows)} {rows === 1 ? 'row' : 'rows'}
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </Loading>
      </div>
    </details>
  );
}
