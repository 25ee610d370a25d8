import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { type Answer, hashRequest, type KeyedRequest, refuseOddKey } from './answer-once.ts';
import { deleteKey, findKey, insertKey, saveAnswer } from './store/idempotency-keys.ts';

const lookMilliseconds = 100;
/** Longer than a call may take; whoever still waits then is told to come again. */
const patienceMilliseconds = 100_000;

/**
 * For calls that wait for the world outside, which no transaction may do: the key stands before, the answer after. Another
 * request with the key waits for the first. A refusal takes the key back, for it had no effect. After a crash the key
 * stands without an answer: the use case itself knows what it has done under it, so the request runs again.
 */
export async function withIdempotencyKeyAroundExternalCall(
  ctx: Context,
  request: KeyedRequest,
  work: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  refuseOddKey(request.key);
  const requestHash = hashRequest(request);
  if (!(await insertKey(ctx.db, { ...request, requestHash, now: ctx.clock.now() })))
    return waitForAnswer(ctx, request, requestHash);
  try {
    const answer = await work({ ...ctx, idempotencyKey: request.key });
    await saveAnswer(ctx.db, { ...request, answer });
    return answer;
  } catch (error) {
    await deleteKey(ctx.db, request);
    throw error;
  }
}

async function waitForAnswer(
  ctx: Context,
  request: KeyedRequest,
  requestHash: string,
): Promise<Answer> {
  for (let waited = 0; waited < patienceMilliseconds; waited += lookMilliseconds) {
    const kept = await findKey(ctx.db, request);
    if (!kept)
      refuse('busy', {
        message: 'The first request with this key was refused. Please send it again.',
        retryAfterSeconds: 1,
      });
    if (kept.request_hash !== requestHash) refuse('idempotency_mismatch');
    if (kept.answer) return kept.answer;
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
  }
  refuse('busy', { retryAfterSeconds: 5 });
}
