import { can } from '@rowmill/contract';
import { record } from '../../core/events.ts';
import type { Handler } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import * as texts from '../../texts/account.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { deleteEndedWork } from '../batches/delete-work.ts';
import { getBillingAddress } from '../billing/billing-address.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import { accountEmail } from '../identity/emails.ts';
import { assertPasswordUnchanged, confirmPassword } from '../identity/passwords/change.ts';
import { listDevices } from '../identity/sessions/devices.ts';
import { findCurrentPlan, findPlans, hasHadPlan } from '../plans/subscriptions.ts';
import { removeAccount } from './remove-account.ts';

export const showAccount: Handler<'fetchUserDetail'> = async (ctx, actor) => {
  const { user, pending_email, batch_emails } = await getPerson(ctx, actor.id);
  return {
    user,
    pending_email,
    batch_emails,
    billing_address: await getBillingAddress(ctx, actor.id),
    plan: await findCurrentPlan(ctx, actor.id),
    sessions: await listDevices(ctx, actor),
  };
};

/** Having no plan is an answer, not a refusal: the browser then shows the plans. */
export const showPlan: Handler<'getUserPlan'> = async (ctx, { subjectId }) => {
  const { plan, next_plans } = await findPlans(ctx, subjectId);
  const billing_address = await getBillingAddress(ctx, subjectId);
  return {
    status: plan !== null,
    plan,
    next_plans,
    billing_address,
    had_plan: plan !== null || (await hasHadPlan(ctx, subjectId)),
    message: plan ? texts.currentPlan(plan.name) : texts.choosePlan,
  };
};

export const deleteAccount: Handler<'deleteUserAccount'> = async (ctx, actor, request) => {
  if (!can(actor.roleId, 'deleteOwnAccount'))
    refuse('not_now', { message: texts.refused.not_now.operator });
  const user = await confirmPassword(ctx, actor, request.current_password);
  await deleteEndedWork(ctx, user.id);
  await inTransaction(ctx, async (ctx) => {
    await assertPasswordUnchanged(ctx, user);
    await removeAccount(ctx, actor, { userId: user.id, reason: texts.clientDeleted });
    await writeAuditEntry(ctx, { actor: user, subjectId: user.id }, 'account_deleted');
    await ctx.enqueue(ctx.db, accountEmail({ kind: 'account_deleted', email: user.email }));
  });
  record(ctx, 'account_deleted', { user_id: user.id });
  return { message: texts.accountDeleted };
};
