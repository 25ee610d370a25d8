import type { ReactNode } from 'react';
import styles from './entry-list.module.css';
import { Paging, type PagingProps } from './paging.tsx';

interface Props<T> {
  entries: readonly T[];
  paging?: Omit<PagingProps, 'shown'>;
  children: (entry: T) => ReactNode;
}

/** Entries one below the other, one page at a time. */
export function EntryList<T extends { id: string }>({ entries, paging, children }: Props<T>) {
  return (
    <>
      <ol className={`plain ${styles.entries}`}>
        {entries.map((entry) => (
          <li key={entry.id}>{children(entry)}</li>
        ))}
      </ol>
      {paging && <Paging {...paging} shown={entries.length} />}
    </>
  );
}
