import { useState } from 'react';
import { Link } from 'react-router';
import { formatNumber, formatTime } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/ask.ts';
import { rowCount } from '../../../texts/entities.ts';
import { Button } from '../../../ui/button.tsx';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { OptionButton } from '../../../ui/option-button.tsx';
import { useRecentPrompts } from '../api.ts';
import styles from './prompt.module.css';

interface Props {
  current: string;
  onPick: (prompt: string) => void;
}

/** Earlier prompts to use again. Replacing a written prompt can be undone. */
export function RecentPrompts({ current, onPick }: Props) {
  const [replaced, setReplaced] = useState('');
  const query = useRecentPrompts();
  function pick(prompt: string) {
    setReplaced(current.trim() && current !== prompt ? current : '');
    onPick(prompt);
  }
  function undo() {
    onPick(replaced);
    setReplaced('');
  }
  return (
    <Disclosure title={texts.recentPrompts}>
      <div className="stack">
        {replaced && (
          <Notice>
            <p>{texts.promptReplaced}</p>
            <Button variant="ghost" onClick={undo}>
              {texts.undo}
            </Button>
          </Notice>
        )}
        <Loading query={query}>
          {(prompts) =>
            prompts.length === 0 ? (
              <p className="muted">{texts.noRecentPrompts}</p>
            ) : (
              <ul className="plain stack">
                {prompts.map(({ id, question, asked_at, rows }) => (
                  <li key={id}>
                    <OptionButton onPick={() => pick(question)}>
                      <span className={styles.clamped}>{question}</span>
                      <span className="muted">
                        {texts.timeAndRows({
                          time: formatTime(asked_at),
                          rows: rowCount(rows, formatNumber(rows)),
                        })}
                      </span>
                    </OptionButton>
                  </li>
                ))}
              </ul>
            )
          }
        </Loading>
        <Link to={paths.allPrompts}>{texts.allPrompts}</Link>
      </div>
    </Disclosure>
  );
}
