import type { ReactNode } from 'react';
import styles from './notice.module.css';

interface Props {
  tone?: 'info' | 'success' | 'warning' | 'error';
  /** Not announced: part of the page from the start, or a toast says it too. */
  isStatic?: boolean;
  children: ReactNode;
}

/** A message on the page. An error interrupts a screen reader, other tones wait. */
export function Notice({ tone = 'info', isStatic = false, children }: Props) {
  const role = tone === 'error' ? 'alert' : 'status';
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={isStatic ? undefined : role}>
      {children}
    </div>
  );
}
