import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

interface Props {
  title: string;
  /** Opens it from outside, for example to show a problem inside. */
  forceOpen?: boolean;
  children: ReactNode;
}

/** A section that is closed until its title is pressed. */
export function Disclosure({ title, forceOpen = false, children }: Props) {
  return (
    <details className={styles.disclosure} open={forceOpen || undefined}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
