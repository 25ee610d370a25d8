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
  return (await read(await send(endpoint, request as object))) as AnswerOf<E>;
}

/** Like call, for those that answer with a file. */
export async function callForFile<E extends Endpoint>(endpoint: E, request: RequestOf<E>): Promise<Blob> {
  return (await send(endpoint, request as object)).blob();
}

async function send(endpoint: Endpoint, request: object): Promise<Response> {
  const token = storage.read('userToken');
  const [address, init] = prepare(endpoint, request, token);
  const response = await answered(address, init);
  const final = response.status === 401 ? await sendOnceMore(address, init, token) : response;
  if (final.ok) return final;
  const retryAfter = Number(final.headers.get('retry-after')) || null;
  throw new Refusal(final.status, (await read(final)) as RefusalBody, retryAfter);
}

/** A 401 ends the session, and the same request goes out exactly once more; what comes of that is the answer. */
function sendOnceMore(address: string, init: RequestInit, token: string | null): Promise<Response> {
  // One that comes late, of a session that has ended meanwhile, must not end the next one.
  if (storage.read('userToken') === token && !storage.isEmpty()) {
    storage.clear();
    onSessionEnd();
  }
  return answered(address, init);
}

/** What stands between browser and server may answer with a page of its own; a person is told so in words. */
async function read(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new Error('The server gave an answer that cannot be read. Please try again in a moment.', { cause });
  }
}

async function answered(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    throw new Error('The server cannot be reached. Please check your connection and try again.', { cause });
  }
}

function prepare(endpoint: Endpoint, request: object, token: string | null): [string, RequestInit] {
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
