import type { ParsedRequestOf, savePlan as savePlanCall } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { holdsAlready, judgePlan, refuseOutdated, refuseWrong } from './rules.ts';
import { signChange } from './sign-change.ts';
import {
  getCataloguePlan,
  insertPlan,
  isNameTaken,
  lockPlan,
  lockPricing,
  updatePlan,
} from './store.ts';

/** Orders that exist, and plans in people's hands, carry their own copy of what they were; nothing of them is touched. */
export async function savePlan(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof savePlanCall>,
) {
  const { id, version, ...wanted } = request;
  return inTransaction(ctx, async (inside) => {
    const { currency } = await lockPricing(inside.db);
    const present = id === undefined ? null : await lockPlan(inside.db, id);
    if (present === undefined) refuse('not_found');
    refuseOutdated(present, version);
    refuseWrong(judgePlan(wanted, present));
    if (
      wanted.is_sold &&
      (await isNameTaken(inside.db, 'plans', { name: wanted.name, exceptId: id }))
    )
      refuseWrong({ name: 'Another plan on sale has this name.' });
    const values = { ...wanted, currency, features: JSON.stringify(wanted.features) };
    const planId = present?.id ?? newId(ctx.clock.now());
    if (!present || !holdsAlready(present, { ...wanted, currency })) {
      await signChange(inside, actor, { item: 'plan', name: wanted.name });
      if (present) await updatePlan(inside.db, planId, values);
      else await insertPlan(inside.db, { ...values, id: planId });
    }
    const plan = await getCataloguePlan(inside.db, { id: planId, now: ctx.clock.now() });
    return {
      plan,
      message: `The plan ${plan.name} is saved. Orders that exist keep what they were made with.`,
    };
  });
}
