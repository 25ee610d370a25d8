import type { AnswerOf, Endpoint, RefusalBody, RequestOf } from '@rowmill/contract';
import { Refusal } from './refusal.ts';
import { settings } from './settings.ts';
import { storage } from './storage.ts';

let onSessionEnd = () => {};

/** What happens when the server no longer knows the token: the router leaves for /auth, the caches are emptied. */
export function whenSessionEnds(act: () => void): void {
  onSessionEnd = act;
}

/** Makes one call of the contract. Throws a Refusal when the server says no, and words for a person when it is out of reach. */
export async function call<E extends Endpoint>(endpoint: E, request: RequestOf<E>): Promise<AnswerOf<E>> {
  return (await send(endpoint, request as object)).json() as Promise<AnswerOf<E>>;
}

/** Like call, for those that answer with a file. */
export async function callForFile<E extends Endpoint>(endpoint: E, request: RequestOf<E>): Promise<Blob> {
  return (await send(endpoint, request as object)).blob();
}

async function send(endpoint: Endpoint, request: object): Promise<Response> {
  const [address, init] = prepare(endpoint, request);
  const response = await answered(address, init);
  const final = response.status === 401 ? await sendOnceMore(address, init) : response;
  if (final.ok) return final;
  const retryAfter = Number(final.headers.get('retry-after')) || null;
  throw new Refusal(final.status, (await final.json()) as RefusalBody, retryAfter);
}

/** A 401 ends the session, and the same request goes out exactly once more; what comes of that is the answer. */
function sendOnceMore(address: string, init: RequestInit): Promise<Response> {
  if (storage.read('userToken') !== null) {
    storage.clear();
    onSessionEnd();
  }
  return answered(address, init);
}

async function answered(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    throw new Error('The server cannot be reached. Please check your connection and try again.', { cause });
  }
}

function prepare(endpoint: Endpoint, request: object): [string, RequestInit] {
  const token = storage.read('userToken');
  const switchedAs = endpoint.actAs === 'switchedAs' ? storage.read('switchedAs') : null;
  const body = switchedAs ? { ...request, switchedAs } : request;
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key) =>
    encodeURIComponent(String((request as Record<string, unknown>)[key])),
  );
  const headers = {
    'content-type': 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(endpoint.idempotent ? { 'idempotency-key': crypto.randomUUID() } : {}),
  };
  return [settings().hosts[endpoint.host] + path, { method: endpoint.method, headers, body: JSON.stringify(body) }];
}
