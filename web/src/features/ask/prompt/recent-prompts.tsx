import { useState } from 'react';
import { formatNumber, formatTime } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useRecentQuestions } from '../api.ts';

interface Props {
  present: string;
  onTake: (question: string) => void;
}

/** What was asked before, to be asked again. What stood in the field can be put back. */
export function RecentQuestions({ present, onTake }: Props) {
  const [before, setBefore] = useState('');
  const query = useRecentQuestions();
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
      <summary>{texts.recent}</summary>
      <div className="stack">
        {before && (
          <Notice>
            <p>{texts.wasReplaced}</p>
            <Button variant="ghost" onClick={putBack}>
              {texts.putBack}
            </Button>
          </Notice>
        )}
        <Loading query={query}>
          {(questions) =>
            questions.length === 0 ? (
              <p className="soft">{texts.noneAsked}</p>
            ) : (
              <ul className="plain stack">
                {questions.map(({ id, question, asked_at, rows }) => (
                  <li key={id}>
                    <button type="button" className="pickable" onClick={() => take(question)}>
                      <span className="ask-clip">{question}</span>
                      <span className="soft">
                        {texts.askedWhen({
                          time: formatTime(asked_at),
                          rows: texts.rows(rows, formatNumber(rows)),
                        })}
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
