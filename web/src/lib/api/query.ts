import type { AnswerOf, Endpoint, RequestOf } from '@rowmill/contract';
import {
  MutationCache,
  onlineManager,
  QueryCache,
  QueryClient,
  type QueryFilters,
  type QueryKey,
  type QueryState,
  queryOptions,
} from '@tanstack/react-query';
import { refreshRights, roleSwitchEvent } from '../acting.ts';
import { onSignOut, subjectId } from '../session.ts';
import { showToast } from '../toasts.ts';
import { call } from './api-client.ts';
import { errorMessage, Refusal } from './refusal.ts';

/** Places of a fair share become free within seconds; a rate limit may last minutes. */
const longestWaitSeconds = 15;

function isFullForNow(error: Error): error is Refusal {
  return (
    error instanceof Refusal &&
    error.status === 429 &&
    error.retryAfterSeconds !== null &&
    error.retryAfterSeconds <= longestWaitSeconds
  );
}

/** Only an unreachable server and full places are retried, twice. Other refusals are answers. */
export function mayRetry(count: number, error: Error): boolean {
  return count < 2 && (!(error instanceof Refusal) || isFullForNow(error));
}

/** When the server says, otherwise after growing pauses. Offline, with the connection. */
export function retryDelay(count: number, error: Error): number {
  if (!onlineManager.isOnline()) return 0;
  return isFullForNow(error) ? (error.retryAfterSeconds ?? 1) * 1_000 : 1_000 * 2 ** count;
}

/** A failed action of a person gets a toast. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: refreshRights }),
  mutationCache: new MutationCache({ onError: (error) => showToast('error', errorMessage(error)) }),
  defaultOptions: {
    queries: { staleTime: 30_000, retry: mayRetry, retryDelay },
    // Without a connection an action fails at once. Nothing is sent later, when the person may have
    // left or want something else.
    mutations: { networkMode: 'always' },
  },
});

onSignOut(() => queryClient.clear());

// It hears of changes only, and an installed app may start offline.
if (globalThis.navigator?.onLine === false) onlineManager.setOnline(false);

/** One person's data must not appear for another: visible queries are fetched again. */
if (typeof window !== 'undefined') {
  window.addEventListener(roleSwitchEvent, () => {
    queryClient.removeQueries({ type: 'inactive' });
    void queryClient.resetQueries();
  });
}

/** Query options for a call of the contract. Pages add `select`, `staleTime` and others. */
export function queryOf<E extends Endpoint>(endpoint: E, request: RequestOf<E>) {
  return queryWith(endpoint, request, (signal) => call(endpoint, request, { signal }));
}

/** Like queryOf, for an answer that takes more than the plain call. */
export function queryWith<E extends Endpoint, T>(
  endpoint: E,
  request: RequestOf<E>,
  fetch: (signal: AbortSignal) => Promise<T>,
) {
  return queryOptions({
    queryKey: keyOf(endpoint, request as object),
    queryFn: ({ signal }) => fetch(signal),
  });
}

/** Query options for data that no call of the contract gives, such as a provider's script. */
export function otherQuery<T>(name: string, load: () => Promise<T>) {
  return queryOptions({ queryKey: [name], queryFn: load });
}

/** Selects the cached queries of a call whose request contains this part of a request. */
export function queriesOf<E extends Endpoint>(
  endpoint: E,
  request?: Partial<RequestOf<E>>,
): Pick<QueryFilters, 'queryKey'> {
  return { queryKey: request ? [endpoint.path, request] : [endpoint.path] };
}

/**
 * Marks the answers of a call as stale and fetches those on screen again. A first answer that is
 * still on its way may be older than the change, and TanStack Query would take it for the new one.
 */
export function invalidate<E extends Endpoint>(
  endpoint: E,
  request?: Partial<RequestOf<E>>,
): Promise<void> {
  const queries = queriesOf(endpoint, request);
  void queryClient.cancelQueries({
    ...queries,
    predicate: ({ state }) => state.data === undefined,
  });
  return queryClient.invalidateQueries(queries);
}

type Update<T> = T | ((known: T | undefined) => T | undefined);

export function setQueryData<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  answer: Update<AnswerOf<E>>,
): void {
  queryClient.setQueryData<AnswerOf<E>>(keyOf(endpoint, request as object), answer);
}

/** Changes every cached answer of a call; `undefined` leaves an answer and its age as they are. */
export function updateQueries<E extends Endpoint>(
  endpoint: E,
  change: (answer: AnswerOf<E>) => AnswerOf<E> | undefined,
): void {
  queryClient.setQueriesData<AnswerOf<E>>(
    queriesOf(endpoint),
    (answer) => answer && change(answer),
  );
}

export function queryState<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
): QueryState<AnswerOf<E>> | undefined {
  return queryClient.getQueryState(keyOf(endpoint, request as object));
}

/** What a query has loaded before, if it is still known. */
export function knownAnswer<K extends QueryKey>({ queryKey }: { queryKey: K }) {
  return queryClient.getQueryData(queryKey);
}

/** An admin reads for several clients, so the key says for whom an answer is. */
function keyOf(endpoint: Endpoint, request: object) {
  return [endpoint.path, request, endpoint.actAs === 'switchedAs' ? subjectId() : null] as const;
}
