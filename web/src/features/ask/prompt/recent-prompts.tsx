import { Link } from 'react-router';
import { formatNumber, formatTime } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/ask.ts';
import { rowCount } from '../../../texts/entities.ts';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { OptionButton } from '../../../ui/option-button.tsx';
import { useRecentPrompts } from '../api.ts';
import styles from './prompt.module.css';

/** Earlier prompts to use again. */
export function RecentPrompts({ onPick }: { onPick: (prompt: string) => void }) {
  const query = useRecentPrompts();
  return (
    <Disclosure title={texts.recentPrompts}>
      <div className="stack">
        <Loading query={query}>
          {(prompts) =>
            prompts.length === 0 ? (
              <p className="muted">{texts.noRecentPrompts}</p>
            ) : (
              <ul className="plain stack">
                {prompts.map(({ id, question, asked_at, rows }) => (
                  <li key={id}>
                    <OptionButton onPick={() => onPick(question)}>
                      <span className={styles.clamped}>{question}</span>
                      <span className="muted">
                        {texts.timeAndRows({
                          time: formatTime(asked_at),
                          rows: rowCount(formatNumber(rows)),
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
