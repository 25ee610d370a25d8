import { can, type deleteUserAccount, type ParsedRequestOf } from '@rowmill/contract';
import type { ActingFor, Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { record } from '../../core/events.ts';
import type { FileAnswer } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import { inTransaction } from '../../db/transaction.ts';
import { writeAuditEntry } from '../audit/entries.ts';
import { listAuditEntriesAbout } from '../audit/store.ts';
import { exportWork, forgetWork } from '../batches/account-data.ts';
import { getBillingAddress } from '../billing/billing-address.ts';
import { exportBilling, forgetBuyer } from '../billing/own-data.ts';
import { listEntries } from '../credits/store.ts';
import { releaseClients } from '../identity/accounts/clients.ts';
import { forgetPerson, getPerson } from '../identity/accounts/profile.ts';
import { accountEmail } from '../identity/jobs.ts';
import { assertPasswordUnchanged, confirmPassword } from '../identity/passwords/change.ts';
import { listDevices } from '../identity/sessions/devices.ts';
import { findCurrentPlan } from '../plans/find-current-plan.ts';
import { listPlanPeriods } from '../plans/store.ts';

export async function showAccount(ctx: Context, actor: Actor) {
  const { user, pending_email } = await getPerson(ctx, actor.id);
  return {
    user,
    pending_email,
    billing_address: await getBillingAddress(ctx, actor.id),
    plan: await findCurrentPlan(ctx, actor.id),
    sessions: await listDevices(ctx, actor),
  };
}

/** Having no plan is an answer, not an error: the browser goes on to the plans. */
export async function showPlan(ctx: Context, { subjectId }: ActingFor) {
  const plan = await findCurrentPlan(ctx, subjectId);
  const billing_address = await getBillingAddress(ctx, subjectId);
  return {
    status: plan !== null,
    plan,
    billing_address,
    message: plan ? `Your plan is ${plan.name}.` : 'Please choose a plan to go on.',
  };
}

/** Everything that is kept about a person, in a form that a person and a program can read. */
export async function exportAccount(ctx: Context, actor: Actor): Promise<FileAnswer> {
  const { created_at } = await getPerson(ctx, actor.id);
  const everything = {
    exported_at: ctx.clock.now(),
    registered_at: created_at,
    ...(await showAccount(ctx, actor)),
    ...(await exportWork(ctx, actor.id)),
    ...(await exportBilling(ctx, actor.id)),
    plan_periods: await listPlanPeriods(ctx.db, actor.id),
    credit_entries: await listEntries(ctx.db, actor.id),
    audit_entries: await listAuditEntriesAbout(ctx.db, actor.id),
  };
  return {
    name: 'rowmill-account.json',
    type: 'application/json; charset=utf-8',
    content: JSON.stringify(everything, null, 2),
  };
}

/**
 * What names the person goes at once. Ledger, orders and audit stay, about somebody who has no name any more; invoices and
 * credit notes stay as they were issued.
 */
export async function deleteAccount(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof deleteUserAccount>,
) {
  if (!can(actor.roleId, 'deleteOwnAccount')) {
    refuse('not_now', {
      message: 'An operator’s account cannot be deleted. Make somebody else the operator first.',
    });
  }
  const user = await confirmPassword(ctx, actor, request.current_password);
  await inTransaction(ctx, async (inside) => {
    await assertPasswordUnchanged(inside, user);
    await forgetBuyer(inside, user.id);
    await forgetWork(inside, user.id);
    const reason = 'The account that looked after this one was deleted';
    await releaseClients(inside, actor, { adminId: user.id, reason });
    await forgetPerson(inside, user.id);
    await writeAuditEntry(inside, { actorId: user.id, subjectId: user.id, act: 'account_deleted' });
    await ctx.enqueue(inside.db, accountEmail({ kind: 'account_deleted', email: user.email }));
  });
  record(ctx, 'account_deleted', { user_id: user.id });
  return { message: 'Your account is deleted.' };
}
