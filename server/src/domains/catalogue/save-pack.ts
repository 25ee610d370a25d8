import type { ParsedRequestOf, savePack as savePackCall } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import { refuse } from '../../refusal.ts';
import { holdsAlready, refuseOutdated, refuseWrong } from './rules.ts';
import { signChange } from './sign-change.ts';
import {
  getCataloguePack,
  insertPack,
  isNameTaken,
  lockPack,
  lockPricing,
  updatePack,
} from './store.ts';

/** Orders that exist keep their price in their own lines; a cart is compared with the new one when it is ordered. */
export async function savePack(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof savePackCall>,
) {
  const { id, version, ...wanted } = request;
  return inTransaction(ctx, async (inside) => {
    const { currency } = await lockPricing(inside.db);
    const present = id === undefined ? null : await lockPack(inside.db, id);
    if (present === undefined) refuse('not_found');
    refuseOutdated(present, version);
    if (
      wanted.is_sold &&
      (await isNameTaken(inside.db, 'packs', { name: wanted.name, exceptId: id }))
    )
      refuseWrong({ name: 'Another pack on sale has this name.' });
    const values = { ...wanted, currency };
    const packId = present?.id ?? newId(ctx.clock.now());
    if (!present || !holdsAlready(present, values)) {
      await signChange(inside, actor, { item: 'pack', name: wanted.name });
      if (present) await updatePack(inside.db, packId, values);
      else await insertPack(inside.db, { ...values, id: packId });
    }
    const pack = await getCataloguePack(inside.db, packId);
    return { pack, message: `The pack ${pack.name} is saved. Orders that exist keep their price.` };
  });
}
