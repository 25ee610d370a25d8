import { cellsOf, type Output } from '@rowmill/contract';
import type { ReactNode } from 'react';
import { cellFacts } from '../../entities/prompt/cell-facts.ts';
import * as texts from '../../texts/ask.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './answer-card.module.css';

interface Props {
  title: string;
  prompt?: string;
  answer: string | null;
  problem?: string | null;
  /** The columns that the answer was asked for. */
  outputs?: readonly Output[];
  /** Announces the card when it appears. */
  isLive?: boolean;
  children?: ReactNode;
}

/** A prompt with its answer, in columns or as text. An unusable answer is below the reason. */
export function AnswerCard(props: Props) {
  const { title, prompt, answer, problem, outputs = [], isLive = false, children } = props;
  const cells = cellsOf(answer, outputs);
  return (
    <article className={styles.card} aria-live={isLive ? 'polite' : undefined}>
      <h3>{title}</h3>
      {prompt && <p className={`clamp muted ${styles.prompt}`}>{prompt}</p>}
      {(problem || answer === null) && <Notice tone="error">{problem ?? texts.noAnswer}</Notice>}
      {cells ? (
        <FactList facts={cellFacts(cells, outputs)} empty={texts.emptyValue} />
      ) : (
        answer !== null && <p className="written">{answer}</p>
      )}
      {children}
    </article>
  );
}
