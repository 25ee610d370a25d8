import type { Output } from '@rowmill/contract';
import type { ReactNode } from 'react';
import styles from './choice-pills.module.css';

/** Values of a list as pills, or null for what is not on the list. */
export function choicePills(text: string, output: Output | undefined): ReactNode {
  if (typeof output !== 'object' || !output.options) return null;
  const values = output.type === 'choices' ? text.split(', ') : [text];
  if (!values.every((value) => output.options?.includes(value))) return null;
  return (
    <span className={styles.pills}>
      {values.map((value) => (
        <span key={value}>{value}</span>
      ))}
    </span>
  );
}
