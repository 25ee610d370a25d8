import type { AnswerOf, Endpoint, RefusalBody, RequestOf } from '@rowmill/contract';
import * as texts from '../../texts/lib.ts';
import { settings } from '../settings.ts';
import { storage } from '../storage.ts';
import { Refusal } from './refusal.ts';

let onSessionEnd = () => {};

/** What happens when the server no longer knows the token: the router leaves for /auth, the caches are emptied. */
export function whenSessionEnds(act: () => void): void {
  onSessionEnd = act;
}

interface Options {
  /** Names the act, so that a repetition by hand has no second effect. Without it every call is an act of its own. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Makes one call of the contract. Throws a Refusal when the server says no, and words for a person when it is out of reach. */
export async function call<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options?: Options,
): Promise<AnswerOf<E>> {
  return (await read(await send(endpoint, request as object, options))) as AnswerOf<E>;
}

/** Like call, for those that answer with a file or with a stream of events. */
export function callForResponse<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options?: Options,
): Promise<Response> {
  return send(endpoint, request as object, options);
}

export async function callForFile<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
): Promise<Blob> {
  return (await send(endpoint, request as object)).blob();
}

/** Where a session has just ended, what is still on the screen may ask once more: the answer is known. */
async function send(endpoint: Endpoint, request: object, options: Options = {}): Promise<Response> {
  if (endpoint.who !== 'anyone' && storage.isEmpty()) throw new Error(texts.signedOut);
  const token = storage.read('userToken');
  const [address, init] = prepare(endpoint, request, options);
  const response = await answered(address, init);
  if (response.status === 401) endExpiredSession(token);
  const final = response.status === 401 ? await answered(address, init) : response;
  if (final.ok) return final;
  throw new Refusal(
    final.status,
    (await read(final)) as RefusalBody,
    Number(final.headers.get('retry-after')) || null,
  );
}

/**
 * A 401 ends the session, and the same request goes out exactly once more; what comes of that is the answer. One that
 * comes late, of a session that has ended meanwhile, must not end the next one.
 */
export function endExpiredSession(token: string | null): void {
  if (storage.read('userToken') !== token || storage.isEmpty()) return;
  storage.clear();
  onSessionEnd();
}

/** What stands between browser and server may answer with a page of its own; a person is told so in words. */
async function read(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new Error(texts.unreadableAnswer, { cause });
  }
}

async function answered(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Error(texts.outOfReach, { cause });
  }
}

function prepare(
  endpoint: Endpoint,
  request: object,
  { signal, idempotencyKey }: Options,
): [string, RequestInit] {
  const switchedAs = endpoint.actAs === 'switchedAs' ? storage.read('switchedAs') : null;
  const subject = switchedAs ? { switchedAs } : {};
  const key = endpoint.idempotent ? (idempotencyKey ?? newIdempotencyKey()) : undefined;
  const init = { method: endpoint.method, headers: headersFor(key), signal: signal ?? null };
  if (endpoint.accepts === 'nothing')
    return [withQuery(endpoint, { ...request, switchedAs: switchedAs?.user_id }), init];
  return [
    addressOf(endpoint, request),
    { ...init, body: JSON.stringify({ ...request, ...subject }) },
  ];
}

export function headersFor(
  idempotencyKey?: string,
  type = 'application/json',
): Record<string, string> {
  const token = storage.read('userToken');
  return {
    ...(type ? { 'content-type': type } : {}),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  };
}

/** A call without a body says in the query what its path does not. */
function withQuery(endpoint: Endpoint, request: Record<string, unknown>): string {
  const said = Object.entries(request).filter(
    ([key, value]) => value !== undefined && !endpoint.path.includes(`{${key}}`),
  );
  const query = new URLSearchParams(said.map(([key, value]) => [key, String(value)])).toString();
  return addressOf(endpoint, request) + (query ? `?${query}` : '');
}

export function addressOf(endpoint: Endpoint, request: object = {}): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key) =>
    encodeURIComponent(String((request as Record<string, unknown>)[key])),
  );
  return settings().hosts[endpoint.host] + path;
}

/** Random enough to name an act; unlike randomUUID also there on a page without TLS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join(
    '-',
  );
}
