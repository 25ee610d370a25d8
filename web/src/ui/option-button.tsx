import type { ReactNode } from 'react';
import styles from './option-button.module.css';

/** One entry of a list, chosen by a press anywhere on it. */
export function OptionButton({ onPick, children }: { onPick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.option} onClick={onPick}>
      {children}
    </button>
  );
}
