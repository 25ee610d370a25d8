import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage } from '../lib/api/refusal.ts';
import * as texts from '../texts/ui.ts';
import { Loading } from './loading.tsx';
import { Notice } from './notice.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** Like Loading, but keeps showing the last data when fetching it again fails. */
export function StaleWhileError<T>({ query, children }: Props<T>) {
  if (query.data === undefined) return <Loading query={query}>{children}</Loading>;
  return (
    <>
      {query.isError && (
        <Notice tone="warning">{texts.mayBeOutdated(errorMessage(query.error))}</Notice>
      )}
      {children(query.data)}
    </>
  );
}
