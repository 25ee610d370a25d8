import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { hashSecret } from '../../lib/ids.ts';
import { invariant, refuse } from '../../refusal.ts';
import { idempotencyKeyMaximumLength } from './rules.ts';
import { getKey, insertKey, saveAnswer } from './store/idempotency-keys.ts';

export interface KeyedRequest {
  userId: string;
  key: string;
  call: string;
  body: unknown;
}

export type Answer = Record<string, unknown>;

/**
 * Runs the work of a request once per key. Key, effect and answer are one transaction: after a crash either all of them
 * are there or none, and a second request with the same key waits for the first and repeats its answer.
 */
export async function withIdempotencyKey<C extends Context>(
  ctx: C,
  request: KeyedRequest,
  work: (ctx: C) => Promise<Answer>,
): Promise<Answer> {
  refuseOddKey(request.key);
  const requestHash = hashRequest(request);
  return inTransaction(ctx, async (inside) => {
    const isFirst = await insertKey(inside.db, { ...request, requestHash, now: ctx.clock.now() });
    if (!isFirst) return firstAnswer(inside, request, requestHash);
    const answer = await work(inside);
    await saveAnswer(inside.db, { ...request, answer });
    return answer;
  });
}

async function firstAnswer(
  ctx: Context,
  request: KeyedRequest,
  requestHash: string,
): Promise<Answer> {
  const kept = await getKey(ctx.db, request);
  if (kept.request_hash !== requestHash) refuse('idempotency_mismatch');
  invariant(kept.answer, 'a committed idempotency key has its answer');
  return kept.answer;
}

export function hashRequest({ call, body }: KeyedRequest): string {
  return hashSecret(JSON.stringify([call, body]));
}

export function refuseOddKey(key: string): void {
  if (key.length <= idempotencyKeyMaximumLength && /^[\x21-\x7e]+$/.test(key)) return;
  refuse('invalid_input', {
    fields: {
      'Idempotency-Key': `At most ${idempotencyKeyMaximumLength} visible ASCII characters.`,
    },
  });
}
