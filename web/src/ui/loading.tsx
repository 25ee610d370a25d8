import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { wordsFor } from '../lib/refusal.ts';
import * as texts from '../texts/ui.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** What is fetched: a skeleton while it comes, what went wrong with a way to try again, or the thing itself. */
export function Loading<T>({ query, children }: Props<T>) {
  if (query.isPending) return <Skeleton />;
  if (query.isError) {
    return (
      <Notice tone="error">
        <p>{wordsFor(query.error)}</p>
        <Button variant="ghost" onClick={() => query.refetch()}>
          {texts.tryAgain}
        </Button>
      </Notice>
    );
  }
  return children(query.data);
}

function Skeleton() {
  return (
    <div className="stack" role="status" aria-label={texts.loading}>
      <div className="skeleton" />
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  );
}
