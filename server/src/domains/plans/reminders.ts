import type { Context } from '../../core/context.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Job } from '../../jobs/job.ts';
import { after, day } from '../../lib/clock.ts';
import * as texts from '../../texts/plans.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import { emailPerson } from '../notifications/emails.ts';
import { markEndingPlans } from './store.ts';

const reminderDays = 7;

interface Ending {
  userId: string;
  /** As it was bought. */
  name: string;
  endsAt: string;
}

function planEndEmail(ending: Ending): Job {
  return { name: 'plans.mail', payload: ending };
}

/** Plans do not renew. Each person without a next plan is reminded once. */
export async function remindOfPlanEnds(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now();
    const ending = await markEndingPlans(ctx.db, { now, until: after(now, reminderDays * day) });
    for (const { user_id: userId, terms, ends_at } of ending)
      if (ends_at)
        await ctx.enqueue(
          ctx.db,
          planEndEmail({ userId, name: terms.name, endsAt: ends_at.toISOString() }),
        );
  });
}

export async function sendPlanEndEmail(
  ctx: Context,
  { userId, name, endsAt }: Ending,
): Promise<void> {
  const { user } = await getPerson(ctx, userId);
  const email = texts.planEndEmail(
    user,
    { name, endsAt: new Date(endsAt) },
    ctx.config.http.publicUrl,
  );
  await emailPerson(ctx, user, email);
}
