import type { AnswerOf, Endpoint, RequestOf } from '@rowmill/contract';
import { call } from './api-client.ts';
import { Refusal } from './refusal.ts';
import { keptAnswersDatabase } from './session.ts';
import { storage } from './storage.ts';

/**
 * Answers that stay readable without a connection: finished batches that were opened before. They lie in a database of
 * the browser, never in its caches, and go with the session, whichever way that ends.
 */
const storeName = 'answers';
const keptAtMost = 500;

interface Keeping<A> {
  signal?: AbortSignal;
  /** Whether an answer is worth keeping: what may still change is not. */
  isFinal: (answer: A) => boolean;
}

/** Like call; where the server cannot be reached, the answer that was kept, if there is one. */
export async function callOrKept<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  { signal, isFinal }: Keeping<AnswerOf<E>>,
): Promise<AnswerOf<E>> {
  const key = keyOf(endpoint, request as object);
  try {
    const answer = await call(endpoint, request, { signal });
    if (isFinal(answer)) await keep(key, answer).catch(() => {});
    return answer;
  } catch (error) {
    if (error instanceof Refusal || signal?.aborted) throw error;
    const kept = await find<AnswerOf<E>>(key).catch(() => null);
    if (kept === null) throw error;
    return kept;
  }
}

/** Whose it is belongs to the key: an admin reads for several clients. */
function keyOf(endpoint: Endpoint, request: object): string {
  const whose = storage.read('switchedAs')?.user_id ?? storage.read('currentUser')?.id ?? '';
  return JSON.stringify([whose, endpoint.path, request]);
}

async function keep(key: string, answer: unknown): Promise<void> {
  const store = await openStore('readwrite');
  const keys = await done(store.getAllKeys());
  if (keys.length >= keptAtMost && keys[0] !== undefined) store.delete(keys[0]);
  await done(store.put(answer, key));
}

async function find<A>(key: string): Promise<A | null> {
  return ((await done((await openStore('readonly')).get(key))) as A | undefined) ?? null;
}

async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open(keptAnswersDatabase, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
  const database = await done(opening);
  // A deletion at the end of the session must not wait for a connection that nobody uses.
  database.onversionchange = () => database.close();
  return database.transaction(storeName, mode).objectStore(storeName);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
