import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { errorMessage } from '../lib/api/refusal.ts';
import * as texts from '../texts/ui.ts';
import { Loading } from './loading.tsx';
import { Notice } from './notice.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  /** Of the parts inside, whose failures are said once, above all of them. */
  inside?: readonly UseQueryResult[];
  children: (data: T) => ReactNode;
}

/** Whether a part of the page around this one already says that the page may be out of date. */
const SaidContext = createContext(false);

/** Like Loading, but keeps showing the last data when fetching it again fails. */
export function StaleWhileError<T>({ query, inside = [], children }: Props<T>) {
  const isSaid = useContext(SaidContext);
  // Of another search or page than the one that waits for the connection.
  const isOfAnother = query.isPaused && query.isPlaceholderData;
  if (query.data === undefined || isOfAnother) return <Loading query={query}>{children}</Loading>;
  const outdated = [query, ...inside].find(({ isRefetchError }) => isRefetchError);
  return (
    <>
      {outdated && !isSaid && (
        <Notice tone="warning">{texts.mayBeOutdated(errorMessage(outdated.error))}</Notice>
      )}
      <SaidContext value={isSaid || outdated !== undefined}>{children(query.data)}</SaidContext>
    </>
  );
}
