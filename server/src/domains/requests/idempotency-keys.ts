import type { Context } from '../../core/context.ts';
import { invariant, refuse } from '../../core/refusal.ts';
import { inPersistentTransaction, inTransaction } from '../../db/transaction.ts';
import { after, hour, minute } from '../../lib/clock.ts';
import { hashSecret, isId } from '../../lib/ids.ts';
import * as texts from '../../texts/requests.ts';
import {
  deleteKey,
  deleteKeysBefore,
  deleteUnansweredKeysBefore,
  dropAnswersAbout,
  findKey,
  insertKey,
  saveAnswer,
} from './store.ts';

/** How long the first answer to a key is stored. */
const keyLifetime = 24 * hour;
const keyMaximumLength = 200;
const pollMilliseconds = 100;
/** Longer than any call takes; a request that still waits then is asked to retry. */
const waitMilliseconds = 100_000;

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
 * Runs a request once per key. Key, effect and answer are one transaction: after a crash all of them exist or none. A
 * second request with the same key waits for the first and gets its answer.
 */
export async function withIdempotencyKey<C extends Context>(
  ctx: C,
  request: KeyedRequest,
  work: (ctx: C) => Promise<Answer>,
): Promise<Answer> {
  refuseInvalidKey(request.key);
  const requestHash = hashRequest(request);
  return inTransaction(ctx, async (ctx) => {
    const isFirst = await insertKey(ctx.db, newKey(ctx, request, requestHash));
    if (!isFirst) {
      const first = await findKey(ctx.db, request);
      const answer = storedAnswer(first, requestHash);
      invariant(answer, 'a committed idempotency key has its answer');
      return answer;
    }
    const answer = await work(ctx);
    await saveAnswer(ctx.db, { ...request, answer, about: idsIn(answer) });
    return answer;
  });
}

/**
 * For calls that wait for an external service, which no transaction may do: the key is stored before the call and the
 * answer after it. A refusal had no effect, so it deletes the key. After a crash the key has no answer and the request
 * runs again; the use case looks up what it did under `ctx.idempotencyKey`.
 */
export async function withIdempotencyKeyAroundExternalCall(
  ctx: Context,
  request: KeyedRequest,
  work: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  refuseInvalidKey(request.key);
  const requestHash = hashRequest(request);
  if (!(await insertKey(ctx.db, newKey(ctx, request, requestHash))))
    return waitForAnswer(ctx, request, requestHash);
  try {
    const answer = await work({ ...ctx, idempotencyKey: request.key });
    await saveAnswer(ctx.db, { ...request, answer, about: idsIn(answer) });
    return answer;
  } catch (error) {
    const removeKey = () => deleteKey(ctx.db, request);
    // While the database is away the answer does not wait: until the key is gone, repeated requests are told to try again.
    await removeKey().catch(() => {
      inPersistentTransaction(ctx, removeKey).catch((err) =>
        ctx.log.error({ err }, 'an idempotency key could not be removed'),
      );
    });
    throw error;
  }
}

async function waitForAnswer(
  ctx: Context,
  request: KeyedRequest,
  requestHash: string,
): Promise<Answer> {
  for (let waited = 0; waited < waitMilliseconds; waited += pollMilliseconds) {
    if (ctx.signal?.aborted) break;
    const first = await findKey(ctx.db, request);
    if (!first) refuse('busy', { message: texts.refused.busy.firstRefused, retryAfterSeconds: 1 });
    const answer = storedAnswer(first, requestHash);
    if (answer) return answer;
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

/**
 * Deletes the answers about people, sheets or batches that are deleted. The keys stay, so that a repeated request does
 * not act again. Belongs in the transaction of the deletion.
 */
export async function forgetAnswersAbout(ctx: Context, ids: readonly string[]): Promise<void> {
  await dropAnswersAbout(ctx.db, ids);
}

function newKey(ctx: Context, request: KeyedRequest, requestHash: string) {
  const about = [request.userId, request.subjectId, ...idsIn(request.body)];
  return { ...request, requestHash, about, now: ctx.clock.now() };
}

/** More than any answer has besides its rows, and a bound for what a client writes into a request. */
const maximumIds = 50;

/** The ids of people, sheets, batches and orders that a request or an answer names. Cells of a sheet are in lists. */
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
  refuse('invalid_input', { fields: { 'Idempotency-Key': problem } });
}

export async function purgeKeys(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await deleteKeysBefore(ctx.db, after(now, -keyLifetime));
  await deleteUnansweredKeysBefore(ctx.db, after(now, -hour));
}

/** At the start of a process that is the only one: requests that have no answer will never get one. */
export async function deleteUnansweredKeys(ctx: Context): Promise<void> {
  await deleteUnansweredKeysBefore(ctx.db, after(ctx.clock.now(), minute));
}
