import type { ReactNode } from 'react';
import { Paging } from './paging.tsx';

interface Props<T> {
  entries: readonly T[];
  paging: { start: number; limit: number; total: number };
  onGo: (place: { start: number }) => void;
  children: (entry: T) => ReactNode;
}

/** A page of what has happened, one under the other. */
export function EntryList<T extends { id: string }>({ entries, paging, onGo, children }: Props<T>) {
  return (
    <>
      <ol className="plain entry-list">
        {entries.map((entry) => (
          <li key={entry.id}>{children(entry)}</li>
        ))}
      </ol>
      <Paging {...paging} shown={entries.length} onGo={(start) => onGo({ start })} />
    </>
  );
}
