import type { AnswerOf, Endpoint, RequestOf } from '@rowmill/contract';
import { queryOptions } from '@tanstack/react-query';
import { offlineDatabase, subjectId } from '../session.ts';
import { call } from './api-client.ts';
import { queryWith } from './query.ts';
import { setServerOutOfReach } from './reach.ts';
import { Refusal } from './refusal.ts';

/**
 * Answers that stay readable without a connection, such as finished batches that were opened
 * before and the sheet of a draft. They are stored in a database of the browser, not in its HTTP
 * caches, and are deleted when the session ends.
 */
const storeName = 'answers';
const maximumAnswers = 500;
/** Increase it when pages need a field that stored answers lack. Older answers are deleted. */
const shape = 4;
const byTime = 'storedAt';

interface Stored {
  answer: unknown;
  storedAt: number;
}

/** By default a query would wait for the connection. Now it waits only if nothing is stored. */
export const storedFirst = { networkMode: 'offlineFirst' } as const;

/** Like queryOf, but offline it gives the stored answer. Only final answers are stored. */
export function offlineQueryOf<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  isFinal: (answer: AnswerOf<E>) => boolean = () => true,
) {
  return queryOptions({
    ...queryWith(endpoint, request, (signal) =>
      callOrStored(endpoint, request, { signal, isFinal }),
    ),
    ...storedFirst,
  });
}

interface Options<A> {
  signal: AbortSignal;
  isFinal?: (answer: A) => boolean;
  /** What the stored answer depends on, if that is more than the request. */
  known?: object;
}

/** For a query with `storedFirst`. */
export async function callOrStored<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  { signal, isFinal = () => true, known = request as object }: Options<AnswerOf<E>>,
): Promise<AnswerOf<E>> {
  const key = keyOf(endpoint, known);
  try {
    const answer = await call(endpoint, request, { signal });
    setServerOutOfReach(false);
    if (isFinal(answer)) await store(key, answer).catch(() => {});
    return answer;
  } catch (error) {
    if (error instanceof Refusal || signal.aborted) throw error;
    const stored = await find<AnswerOf<E>>(key).catch(() => null);
    if (stored === null) throw error;
    setServerOutOfReach(true);
    return stored;
  }
}

/** Stores an answer that another call gave. */
export function storeOffline<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  answer: AnswerOf<E>,
): void {
  store(keyOf(endpoint, request as object), answer).catch(() => {});
}

const keyOf = (endpoint: Endpoint, known: object) =>
  JSON.stringify([subjectId(), endpoint.path, known]);

async function store(key: string, answer: unknown): Promise<void> {
  const answers = await openStore('readwrite');
  if ((await done(answers.count())) >= maximumAnswers) {
    const oldest = await done(answers.index(byTime).getAllKeys(null, 1));
    for (const one of oldest) answers.delete(one);
  }
  await done(answers.put({ answer, storedAt: Date.now() } satisfies Stored, key));
}

async function find<A>(key: string): Promise<A | null> {
  const stored: Stored | undefined = await done((await openStore('readonly')).get(key));
  return (stored?.answer as A | undefined) ?? null;
}

async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open(offlineDatabase, shape);
  opening.onupgradeneeded = () => {
    const { result } = opening;
    if (result.objectStoreNames.contains(storeName)) result.deleteObjectStore(storeName);
    result.createObjectStore(storeName).createIndex(byTime, byTime);
  };
  const database = await done(opening);
  const transaction = database.transaction(storeName, mode);
  // It closes after the transaction: otherwise each stored answer would leave a connection open.
  database.close();
  return transaction.objectStore(storeName);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
