import {
  type AnswerOf,
  actingForHeader,
  type Endpoint,
  type RequestOf,
  signInAgain,
} from '@rowmill/contract';
import * as texts from '../../texts/lib.ts';
import { settings } from '../settings.ts';
import { storage } from '../storage.ts';
import { refusalOf } from './refusal.ts';

let endSession = (_message: string) => {};

/** Sets what happens when the server no longer accepts the token. */
export function onSessionEnd(act: (message: string) => void): void {
  endSession = act;
}

interface Options {
  /**
   * Repeating a call with the same key has no second effect. By default each call has a new one.
   */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** The call is sent even when the page closes at this moment. */
  keepalive?: boolean;
}

/**
 * Makes one call of the contract. Throws a Refusal, or an Error with words for people when the
 * server is out of reach.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options?: Options,
): Promise<AnswerOf<E>> {
  return (await read(await send(endpoint, request as object, options))) as AnswerOf<E>;
}

/** For calls that answer with a stream of events. */
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

async function send(endpoint: Endpoint, request: object, options: Options = {}): Promise<Response> {
  // After the end of a session the page may still make calls; their answer is known.
  if (endpoint.who !== 'anyone' && storage.isEmpty()) throw new Error(texts.signedOut);
  const token = storage.read('userToken');
  const [url, init] = prepare(endpoint, request, options);
  const response = await fetchOrExplain(url, init);
  if (response.status === 401) endExpiredSession(token);
  // Without the signal: leaving the page aborts its queries, and the repetition must be sent
  // anyway.
  const repeat = () => fetchOrExplain(url, { ...init, signal: null });
  const final = response.status === 401 ? await repeat() : response;
  if (final.ok) return final;
  throw refusalOf(final.status, await read(final), final.headers.get('retry-after'));
}

/**
 * A 401 ends the session, and the same request is sent exactly once more; its answer counts. A late
 * 401 of an ended session must not end the next one.
 */
export function endExpiredSession(token: string | null): void {
  if (storage.read('userToken') !== token || storage.isEmpty()) return;
  endSession(signInAgain);
  storage.clear({ keepsDrafts: true });
}

/** A proxy between browser and server may answer with its own page. */
async function read(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new Error(texts.unreadableAnswer, { cause });
  }
}

async function fetchOrExplain(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Error(texts.outOfReach, { cause });
  }
}

function prepare(
  endpoint: Endpoint,
  request: object,
  { signal, idempotencyKey, keepalive = false }: Options,
): [string, RequestInit] {
  const key = endpoint.idempotent ? (idempotencyKey ?? newIdempotencyKey()) : undefined;
  const headers = { ...headersFor(key), ...clientHeader(endpoint) };
  const init = { method: endpoint.method, headers, signal: signal ?? null, keepalive };
  if (endpoint.accepts === 'nothing') return [withQuery(endpoint, request), init];
  if (!endpoint.body) return [urlOf(endpoint, request), { ...init, body: JSON.stringify(request) }];
  const inBody = endpoint.body;
  const fields = Object.entries({ ...request, switchedAs: storage.read('switchedAs') });
  const body = fields.filter(([name]) => inBody.includes(name));
  const rest = fields.filter(([name]) => !inBody.includes(name) && name !== 'switchedAs');
  return [
    withQuery(endpoint, Object.fromEntries(rest)),
    { ...init, body: JSON.stringify(Object.fromEntries(body)) },
  ];
}

/** Names the client acted for when neither the body nor the owner of an id in it does. */
function clientHeader({ actAs, body, names }: Endpoint): Record<string, string> {
  const client = storage.read('switchedAs')?.user_id;
  const isNamed = actAs !== 'switchedAs' || names || body?.includes('switchedAs');
  if (isNamed || !client || client === storage.read('currentUser')?.id) return {};
  return { [actingForHeader]: client };
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

/** Sends in the query string what is not in the path. */
function withQuery(endpoint: Endpoint, request: object): string {
  const entries = Object.entries(request).filter(
    ([key, value]) => value !== undefined && !endpoint.path.includes(`{${key}}`),
  );
  const query = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
  return urlOf(endpoint, request) + (query ? `?${query}` : '');
}

export function urlOf(endpoint: Endpoint, request: object = {}): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key) =>
    encodeURIComponent(String((request as Record<string, unknown>)[key])),
  );
  return settings().hosts[endpoint.host] + path;
}

/** Unlike randomUUID also available on a page without TLS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join(
    '-',
  );
}
