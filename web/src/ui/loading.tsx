import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { errorMessage } from '../lib/api/refusal.ts';
import * as texts from '../texts/ui.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/**
 * Shows a skeleton while a query loads, the error with a retry button, or the data. Data renders in
 * interruptible steps, because several queries arrive at once and a phone must stay responsive.
 */
export function Loading<T>({ query, children }: Props<T>) {
  const data = useDeferredValue(query.data);
  if (query.isPending)
    return query.isPaused ? (
      <p role="status" className="muted">
        {texts.waitsForConnection}
      </p>
    ) : (
      <Skeleton />
    );
  if (query.isError) {
    return (
      <Notice tone="error">
        <p>{errorMessage(query.error)}</p>
        <Button variant="secondary" onClick={() => query.refetch()}>
          {texts.tryAgain}
        </Button>
      </Notice>
    );
  }
  if (data === undefined) return <Skeleton />;
  if (!query.isPaused || !query.isPlaceholderData) return children(data);
  return (
    <>
      <Notice tone="warning">{texts.waitsForConnection}</Notice>
      {children(data)}
    </>
  );
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
