import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Button } from '../button.tsx';
import { StaleWhileError } from '../stale-while-error.tsx';

interface Props<T> {
  title: string;
  /** Only read out, because the page already shows the same title. */
  hasHiddenTitle?: boolean;
  query: UseQueryResult<T>;
  /** Shown above the list, such as its search. */
  tools?: ReactNode;
  children: (data: T) => ReactNode;
}

export function ListSection<T>({ title, hasHiddenTitle, query, tools, children }: Props<T>) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id} aria-busy={query.isFetching}>
      <h2 id={id} className={hasHiddenTitle ? 'sr-only' : undefined}>
        {title}
      </h2>
      {tools}
      <StaleWhileError query={query}>{children}</StaleWhileError>
    </section>
  );
}

interface NothingProps {
  text: string;
  /** The label of the button that shows the whole list. */
  all: string;
  onAll: () => void;
}

/** A search that finds nothing. */
export function NothingFound({ text, all, onAll }: NothingProps) {
  return (
    <div className="row">
      <p role="status">{text}</p>
      <Button variant="secondary" onClick={onAll}>
        {all}
      </Button>
    </div>
  );
}
