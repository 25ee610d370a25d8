import { type Endpoint, type EndpointName, endpoints } from '@rowmill/contract';
import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { invariant, refuse, refuseField } from '../../core/refusal.ts';
import { confirmBy, inPersistentTransaction, inTransaction } from '../../db/transaction.ts';
import { after, hour, minute } from '../../lib/clock.ts';
import { orUndo } from '../../lib/failed-work.ts';
import { hashSecret, isId } from '../../lib/ids.ts';
import * as texts from '../../texts/requests.ts';
import {
  deleteKey,
  deleteKeysBefore,
  deleteUnansweredKeysBefore,
  findKey,
  forgetWorkKeysBefore,
  hasKey,
  insertKey,
  renewKey,
  saveAnswer,
  saveFirstAnswer,
  takeOverKey,
} from './store.ts';

/** How long the first answer to a key is stored. */
const keyLifetime = 24 * hour;
const keyMaximumLength = 200;
const pollMilliseconds = 100;
/** Longer than any call takes; a request that still waits then is asked to retry. */
const waitMilliseconds = 100_000;
const heartbeatMilliseconds = 5_000;

/**
 * A quote changes nothing and a preview remembers its rows, so both may be repeated without a key.
 * Their long free answers are not stored.
 */
const mayBeRepeated: Partial<Record<EndpointName, (request: Record<string, unknown>) => boolean>> =
  {
    askChatGpt: ({ query }) => {
      const { file, start } = (query ?? {}) as Record<string, unknown>;
      return file !== undefined && start !== true;
    },
  };

/** The key of a request that must act once. */
export function keyOf(
  name: EndpointName,
  request: Record<string, unknown>,
  header: unknown,
): string | null {
  const isKeyed = (endpoints[name] as Endpoint).idempotent && !mayBeRepeated[name]?.(request);
  return isKeyed && typeof header === 'string' ? header : null;
}

interface KeyedRequest {
  userId: string;
  /** The person the call is about. */
  subjectId: string;
  key: string;
  call: string;
  body: unknown;
}

type Answer = Record<string, unknown>;

/**
 * Runs a request once per key. Key, effect and answer are one transaction. A second request with
 * the same key waits for the first and gets its answer.
 */
export async function withIdempotencyKey<C extends Context>(
  ctx: C,
  request: KeyedRequest,
  work: (ctx: C) => Promise<Answer>,
): Promise<Answer> {
  refuseInvalidKey(request.key);
  const requestHash = hashRequest(request);
  return inTransaction(ctx, async (ctx) => {
    const key = newKey(ctx, request, requestHash);
    if (!(await insertKey(ctx.db, key))) {
      const first = await findKey(ctx.db, request);
      const answer = storedAnswer(first, requestHash);
      invariant(answer, 'a committed idempotency key has its answer');
      return answer;
    }
    confirmBy((db) => hasKey(db, key));
    const answer = await work(ctx);
    await saveAnswer(ctx.db, { ...request, answer, about: idsIn(answer) });
    return answer;
  });
}

/**
 * For calls that wait for an external service, which no transaction may do: stores the key before
 * the call and the answer after it. A refusal had no effect, so it deletes the key. When the
 * process was killed, a repeated request runs again; the use case finds its work under
 * `ctx.workKey`.
 */
export async function withIdempotencyKeyAroundExternalCall(
  ctx: Context,
  request: KeyedRequest,
  work: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  refuseInvalidKey(request.key);
  const requestHash = hashRequest(request);
  const isSecondRun = !(await insertKey(ctx.db, newKey(ctx, request, requestHash)));
  if (isSecondRun) {
    const answer = await waitForAnswer(ctx, request, requestHash);
    if (answer) return answer;
  }
  const heartbeat = setInterval(
    () => void renewKey(ctx.db, request).catch(() => {}),
    heartbeatMilliseconds,
  );
  // While the key cannot be deleted, repeated requests get 503 with a Retry-After.
  const removeKey = () =>
    deleteKey(ctx.db, request).catch(() => {
      inPersistentTransaction(ctx, ({ db }) => deleteKey(db, request)).catch((err) =>
        ctx.log.error({ err }, 'an idempotency key could not be removed'),
      );
    });
  const workKey = hashSecret(JSON.stringify([request.userId, request.key, requestHash]));
  const working = work({ ...ctx, idempotencyKey: request.key, workKey, isSecondRun });
  const answer = await orUndo(working, removeKey).finally(() => clearInterval(heartbeat));
  // The call has taken effect, so it is answered. A repeated request finds its effect.
  await saveAnswer(ctx.db, { ...request, answer, about: idsIn(answer) }).catch(removeKey);
  return answer;
}

/**
 * Stores the answer in the transaction of the work: when the process is killed after the commit, a
 * repeated request does not act again. Refuses if a repeated request has already stored an answer.
 */
export async function saveAnswerWithWork(
  ctx: Context,
  { id: userId }: Pick<Actor, 'id'>,
  result: Answer,
): Promise<void> {
  if (!ctx.idempotencyKey) return;
  const answer = { status: true, ...result };
  const key = { userId, key: ctx.idempotencyKey };
  if (await saveFirstAnswer(ctx.db, { ...key, answer, about: idsIn(answer) })) return;
  if ((await findKey(ctx.db, key))?.answer) refuse('busy', { retryAfterSeconds: 1 });
}

/** Null: the process of the first request was killed, and this one takes its place. */
async function waitForAnswer(
  ctx: Context,
  request: KeyedRequest,
  requestHash: string,
): Promise<Answer | null> {
  for (let waited = 0; waited < waitMilliseconds; waited += pollMilliseconds) {
    if (ctx.signal?.aborted) break;
    const first = await findKey(ctx.db, request);
    if (!first) refuse('busy', { message: texts.refused.busy.firstRefused, retryAfterSeconds: 1 });
    const answer = storedAnswer(first, requestHash);
    if (answer) return answer;
    if (first.is_killed && (await takeOverKey(ctx.db, request))) return null;
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  }
  refuse('busy', { retryAfterSeconds: 5 });
}

/** Null while the first request is running. */
function storedAnswer(
  first: Awaited<ReturnType<typeof findKey>>,
  requestHash: string,
): Answer | null {
  if (first?.request_hash !== requestHash) refuse('idempotency_mismatch');
  if (first.is_dropped)
    refuse('idempotency_mismatch', { message: texts.refused.idempotency_mismatch.dropped });
  return first.answer;
}

function newKey(ctx: Context, request: KeyedRequest, requestHash: string) {
  const about = [request.userId, request.subjectId, ...idsIn(request.body)];
  return { ...request, requestHash, about, now: ctx.clock.now() };
}

/** More than any answer has besides its rows, and a bound for a client's request. */
const maximumIds = 50;

/** The ids of people, sheets, batches and orders in a request or answer, without lists. */
function idsIn(value: unknown): string[] {
  const ids = new Set<string>();
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const inner of Object.values(part)) {
      if (typeof inner !== 'string') collect(inner);
      else if (!Array.isArray(part) && isId(inner) && ids.size < maximumIds) ids.add(inner);
    }
  };
  collect(value);
  return [...ids];
}

function hashRequest({ call, body }: KeyedRequest): string {
  return hashSecret(JSON.stringify([call, body]));
}

function refuseInvalidKey(key: string): void {
  if (key.length <= keyMaximumLength && /^[\x21-\x7e]+$/.test(key)) return;
  const problem = texts.refused.invalid_input.key(keyMaximumLength);
  refuseField('Idempotency-Key', problem);
}

export async function purgeKeys(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const before = after(now, -keyLifetime);
  await deleteKeysBefore(ctx.db, before);
  await forgetWorkKeysBefore(ctx.db, before);
  await deleteUnansweredKeysBefore(ctx.db, after(now, -hour));
}

/** At the start of the only process: unanswered requests will never get an answer. */
export async function deleteUnansweredKeys(ctx: Context): Promise<void> {
  await deleteUnansweredKeysBefore(ctx.db, after(ctx.clock.now(), minute));
}
