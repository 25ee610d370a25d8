import type { ReactNode } from 'react';
import styles from './fact-list.module.css';

export interface Fact {
  name: string;
  value: ReactNode;
}

interface Props {
  facts: readonly Fact[];
  /** Stands in for an empty value. */
  empty?: string;
  /** Side by side where there is room. */
  isWide?: boolean;
}

/** Names beside their values. Values keep their line breaks. */
export function FactList({ facts, empty, isWide = false }: Props) {
  return (
    <dl className={isWide ? `${styles.facts} ${styles.wide}` : styles.facts}>
      {facts.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts keep their order and may share a name
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value || <span className="muted">{empty}</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
