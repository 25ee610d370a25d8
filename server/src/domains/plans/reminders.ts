import type { Context } from '../../core/context.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Job } from '../../jobs/job.ts';
import { after, day } from '../../lib/clock.ts';
import * as texts from '../../texts/plans.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import { emailPerson } from '../notifications/emails.ts';
import { findLastEnd, markEndingPlans } from './store.ts';

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
    const emails = ending.flatMap(({ user_id: userId, terms, ends_at: endsAt }) =>
      endsAt ? [planEndEmail({ userId, name: terms.name, endsAt: endsAt.toISOString() })] : [],
    );
    await ctx.enqueue(ctx.db, ...emails);
  });
}

export async function sendPlanEndEmail(
  ctx: Context,
  { userId, name, endsAt }: Ending,
): Promise<void> {
  // The mail server may have been down, and the plan was refunded, renewed or has ended meanwhile.
  const lastEnd = await findLastEnd(ctx.db, { userId, now: ctx.clock.now() });
  if (lastEnd?.toISOString() !== endsAt) return;
  const { user } = await getPerson(ctx, userId);
  const plan = { name, endsAt: lastEnd };
  const { publicUrl } = ctx.config.http;
  await emailPerson(ctx, user, (to) => texts.planEndEmail(to, plan, publicUrl));
}
