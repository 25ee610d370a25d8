import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import type { FileAnswer } from '../../handlers.ts';
import { listAuditEntriesAbout } from '../audit/store.ts';
import { exportWork } from '../batches/account-data.ts';
import { exportBilling } from '../billing/own-data.ts';
import { listEntries } from '../credits/store.ts';
import { getPerson } from '../identity/get-person.ts';
import { listPlanPeriods } from '../plans/store.ts';
import { showAccount } from './show-account.ts';

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
