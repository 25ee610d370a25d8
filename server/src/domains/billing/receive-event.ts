import type { PaymentProvider } from '@rowmill/contract';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { record } from '../../events.ts';
import type { Job } from '../../jobs/job.ts';
import { type EventMessage, EventRefused } from './port.ts';
import { insertEvent } from './store/events.ts';

export type Reception = 'taken' | 'refused' | 'no_such_provider';

/** Proves, stores and answers; everything else happens in a job. The same event again is only acknowledged. */
export async function receiveEvent(
  ctx: Context,
  provider: PaymentProvider,
  message: EventMessage,
): Promise<Reception> {
  const payments = ctx.payments[provider];
  if (!payments) return 'no_such_provider';
  try {
    const { id: eventId, kind, orderId, paymentRef } = await payments.readEvent(message);
    const isDone = orderId === null && paymentRef === null;
    await inTransaction(ctx, async (inside) => {
      const event = {
        provider,
        eventId,
        kind,
        hint: { orderId, paymentRef },
        now: ctx.clock.now(),
        isDone,
      };
      const isNew = await insertEvent(inside.db, event);
      if (isNew && !isDone) await inside.enqueue(inside.db, eventJob({ provider, eventId }));
    });
    record(ctx, 'event_received', { provider, kind });
    return 'taken';
  } catch (error) {
    if (!(error instanceof EventRefused)) throw error;
    record(ctx, 'event_refused', { provider, why: error.message });
    return 'refused';
  }
}

function eventJob(payload: { provider: PaymentProvider; eventId: string }): Job {
  return { name: 'billing.event', payload };
}
