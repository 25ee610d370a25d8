import type { ParsedRequestOf, savePricing as savePricingCall } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { holdsAlready, refuseOutdated } from './rules.ts';
import { signChange } from './sign-change.ts';
import { getPricing, lockPricing, setCurrency, updateTax } from './store.ts';

/** One currency for everything, for a cart cannot be paid in two. The numbers of the prices stay what they are. */
export async function savePricing(
  ctx: Context,
  actor: Actor,
  request: ParsedRequestOf<typeof savePricingCall>,
) {
  const { version, ...wanted } = request;
  return inTransaction(ctx, async (inside) => {
    const present = await lockPricing(inside.db);
    refuseOutdated(present, version);
    if (!holdsAlready(present, wanted)) {
      await signChange(inside, actor, {
        item: 'pricing',
        name: `${wanted.currency}, ${wanted.tax_name}`,
      });
      await updateTax(inside.db, wanted);
      if (wanted.currency !== present.currency) await setCurrency(inside.db, wanted.currency);
    }
    return {
      pricing: await getPricing(inside.db),
      message: 'Saved. Orders that exist keep their currency and their tax.',
    };
  });
}
