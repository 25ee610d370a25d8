import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { wordsFor } from '../lib/refusal.ts';
import * as texts from '../texts/batches.ts';
import { Loading } from './loading.tsx';
import { Notice } from './notice.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** Like Loading, but what was there stays when asking again fails: a live page must not vanish with the connection. */
export function StillShown<T>({ query, children }: Props<T>) {
  if (query.data === undefined) return <Loading query={query}>{children}</Loading>;
  return (
    <>
      {query.isError && <Notice tone="warning">{texts.mayBeOld(wordsFor(query.error))}</Notice>}
      {children(query.data)}
    </>
  );
}
