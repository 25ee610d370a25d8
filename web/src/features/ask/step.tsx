import { type ReactNode, type Ref, useId } from 'react';
import styles from './step.module.css';

interface Props {
  number: number;
  title: string;
  /** Why the step is closed, or null. */
  blockedBy?: string | null;
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** One numbered card. A closed step stays visible and says what it needs first. */
export function Step({ number, title, blockedBy = null, headingRef, children }: Props) {
  const id = useId();
  return (
    <section
      className={`card ${styles.step} ${blockedBy ? styles.blocked : ''}`}
      aria-labelledby={id}
    >
      <h2 id={id} ref={headingRef} tabIndex={-1}>
        <span className={styles.number}>{number}</span> {title}
      </h2>
      {blockedBy ? <p className="muted">{blockedBy}</p> : children}
    </section>
  );
}
