import type { ProgressEvent } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { Notice } from '../../../core/event-bus.ts';
import { getBalance } from '../../credits/get-balance.ts';
import { findBatch } from '../store/batches.ts';
import { describeBatch } from '../views.ts';

/** However fast rows are settled, a browser hears of a batch at most so often; what comes after a quiet time comes sooner. */
const rests = { first: 25, longest: 200 };

/** What changes for a person, as it changes. Ends when whoever reads it stops. */
export async function* followProgress(
  ctx: Context,
  { subjectId }: ActingFor,
): AsyncGenerator<ProgressEvent> {
  const changed = new Map<string, Notice>();
  let wake = () => {};
  const leave = ctx.notices.subscribe((notice) => {
    if (notice.user_id !== subjectId) return;
    changed.set(notice.batch_id ?? '', notice);
    wake();
  });
  try {
    yield await balanceOf(ctx, subjectId);
    for (let rest = rests.first; ; rest = Math.min(2 * rest, rests.longest)) {
      if (changed.size === 0) {
        await new Promise<void>((resolve) => (wake = resolve));
        rest = rests.first;
      }
      const notices = [...changed.values()];
      changed.clear();
      for (const notice of notices) {
        const event = await eventFor(ctx, subjectId, notice);
        if (event) yield event;
      }
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  } finally {
    leave();
  }
}

async function eventFor(
  ctx: Context,
  userId: string,
  notice: Notice,
): Promise<ProgressEvent | null> {
  if (!notice.batch_id) return balanceOf(ctx, userId);
  if (notice.is_deleted) return { kind: 'batch_deleted', id: notice.batch_id };
  const batch = await findBatch(ctx.db, { id: notice.batch_id, userId });
  return batch ? { kind: 'batch', batch: await describeBatch(ctx, batch) } : null;
}

async function balanceOf(ctx: Context, userId: string): Promise<ProgressEvent> {
  return { kind: 'credits', user_id: userId, creditsAvailable: await getBalance(ctx, userId) };
}
