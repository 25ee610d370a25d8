import type { CostRow, getCosts, ParsedRequestOf } from '@rowmill/contract';
import type { Actor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { after, day } from '../../lib/clock.ts';
import { listCosts, revenuePerSubmission, saleCurrency } from './store.ts';

/** Costs are millionths of the currency for a million tokens; an amount is in hundredths of it. */
const unitsPerMinor = 1e10;

/** Computed from what is stored with batches and prompts, by the costs that models have now. */
export async function showCosts(
  ctx: Context,
  _: Actor,
  { by, days }: ParsedRequestOf<typeof getCosts>,
) {
  const now = ctx.clock.now();
  const currency = await saleCurrency(ctx.db);
  const perSubmission = await revenuePerSubmission(ctx.db, {
    currency,
    since: after(now, -366 * day),
  });
  const found = await listCosts(ctx.db, { by, since: after(now, -days * day) });
  const rows = found.map(
    (row): CostRow => ({
      key: row.key,
      label: row.label,
      answers: row.answers,
      submissions: row.submissions,
      tokens: {
        input: row.input_tokens,
        cached: row.cached_tokens,
        output: row.output_tokens,
        reasoning: row.reasoning_tokens,
      },
      cost_minor: row.is_known ? row.cost / unitsPerMinor : null,
      revenue_minor: perSubmission === null ? null : row.submissions * perSubmission,
    }),
  );
  return { rows, currency };
}
