import type { AnswerMark } from '@rowmill/contract';
import { Flag, Pencil } from 'lucide-react';
import * as texts from '../../../texts/batches/batch.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import type { Row } from '../api.ts';
import { JudgementSign } from './judgements.tsx';
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

/** Small signs beside the state of a row. Marks are about an answer that was not corrected. */
export function RowSigns({ row }: { row: Pick<Row, 'marks' | 'correction' | 'judgement'> }) {
  const { marks, correction, judgement } = row;
  return (
    <>
      {correction === null ? <MarkSign marks={marks} /> : <CorrectionSign />}
      <JudgementSign judgement={judgement} />
    </>
  );
}

function MarkSign({ marks }: { marks: readonly AnswerMark[] }) {
  if (marks.length === 0) return null;
  const title = marks.map((mark) => texts.markMeanings[mark]).join(' ');
  return (
    <span className={styles.sign} title={title}>
      <Flag aria-hidden size={14} />
      <span className="sr-only">{title}</span>
    </span>
  );
}

function CorrectionSign() {
  return (
    <span className={styles.judgement} title={rowTexts.correctedAnswer}>
      <Pencil aria-hidden size={14} />
      <span className="sr-only">{rowTexts.correctedAnswer}</span>
    </span>
  );
}
