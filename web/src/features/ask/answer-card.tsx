import type { ReactNode } from 'react';
import * as texts from '../../texts/ask.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './answer-card.module.css';

interface Props {
  title: string;
  prompt: string | undefined;
  answer: string | null;
  problem?: string | null;
  /** Announces the card when it appears. */
  isLive?: boolean;
  children?: ReactNode;
}

/** A prompt with its answer, both shown as plain text. */
export function AnswerCard({ title, prompt, answer, problem, isLive = false, children }: Props) {
  return (
    <article className={styles.card} aria-live={isLive ? 'polite' : undefined}>
      <h3>{title}</h3>
      <p className={`${styles.text} muted`}>{prompt}</p>
      {answer === null ? (
        <Notice tone="error">{problem ?? texts.noAnswer}</Notice>
      ) : (
        <p className={styles.text}>{answer}</p>
      )}
      {children}
    </article>
  );
}
