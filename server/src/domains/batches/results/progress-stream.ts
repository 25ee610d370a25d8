import type { ProgressEvent } from '@rowmill/contract';
import type { ActingFor } from '../../../core/authority.ts';
import type { Context } from '../../../core/context.ts';
import type { Notice } from '../../../core/event-bus.ts';
import { getBalance } from '../../credits/ledger.ts';
import { findBatch } from '../store/batches.ts';
import { describeBatch } from '../views.ts';

/** Milliseconds between events of a stream: short after a quiet time, then longer, however fast results arrive. */
const pauses = { first: 25, longest: 200 };

/** A person's batches and balance whenever they change, until the reader stops. */
export async function* streamProgress(
  ctx: Context,
  { subjectId }: ActingFor,
): AsyncGenerator<ProgressEvent> {
  const changed = new Map<string, Notice>();
  let wake = () => {};
  const unsubscribe = ctx.notices.subscribe((notice) => {
    if (notice.user_id !== subjectId) return;
    changed.set(notice.batch_id ?? '', notice);
    wake();
  });
  try {
    yield await balanceOf(ctx, subjectId);
    for (let pause = pauses.first; ; pause = Math.min(2 * pause, pauses.longest)) {
      if (changed.size === 0) {
        await new Promise<void>((resolve) => (wake = resolve));
        pause = pauses.first;
      }
      const notices = [...changed.values()];
      changed.clear();
      for (const notice of notices) {
        const event = await eventFor(ctx, subjectId, notice);
        if (event) yield event;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  } finally {
    unsubscribe();
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
