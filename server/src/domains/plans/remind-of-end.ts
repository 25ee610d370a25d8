import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Job } from '../../jobs/job.ts';
import { after, day } from '../../lib/clock.ts';
import { getPerson } from '../identity/get-person.ts';
import { sendMail } from '../notifications/send-mail.ts';
import { planEnds } from './mails.ts';
import { getPlan, markEndingPlans } from './store.ts';

const daysBefore = 7;

interface Ending {
  userId: string;
  planId: string;
  endsAt: string;
}

/** No plan renews itself, so whoever has one hears in time that it ends: once, and not when he has bought the next already. */
export async function remindOfEnd(ctx: Context, mailOf: (ending: Ending) => Job): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const now = ctx.clock.now();
    for (const { user_id, plan_id, ends_at } of await markEndingPlans(inside.db, {
      now,
      until: after(now, daysBefore * day),
    }))
      if (ends_at)
        await inside.enqueue(
          inside.db,
          mailOf({ userId: user_id, planId: plan_id, endsAt: ends_at.toISOString() }),
        );
  });
}

export async function sendReminder(
  ctx: Context,
  { userId, planId, endsAt }: Ending,
): Promise<void> {
  const { user } = await getPerson(ctx, userId);
  const plan = await getPlan(ctx.db, planId);
  await sendMail(
    ctx,
    user.email,
    planEnds(user, { name: plan.name, endsAt: new Date(endsAt) }, ctx.config.http.publicUrl),
  );
}
