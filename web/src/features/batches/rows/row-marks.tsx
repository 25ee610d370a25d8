import type { AnswerMark } from '@rowmill/contract';
import { Flag } from 'lucide-react';
import * as texts from '../../../texts/batches.ts';
import styles from './marks.module.css';

/** What the marks of a row say, in full. */
export function RowMarks({ marks }: { marks: readonly AnswerMark[] }) {
  if (marks.length === 0) return null;
  return (
    <ul className={styles.meanings} aria-label={texts.marks}>
      {marks.map((mark) => (
        <li key={mark}>
          <Flag aria-hidden size={16} />
          <span>{texts.markMeanings[mark]}</span>
        </li>
      ))}
    </ul>
  );
}

/** A small sign beside the state of a row. */
export function MarkSign({ marks }: { marks: readonly AnswerMark[] }) {
  if (marks.length === 0) return null;
  const title = marks.map((mark) => texts.markMeanings[mark]).join(' ');
  return (
    <span className={styles.sign} title={title}>
      <Flag aria-hidden size={14} />
      <span className="sr-only">{title}</span>
    </span>
  );
}
