import type { CostGroup, CostRow } from '@rowmill/contract';
import type { Handler } from '../../core/handlers.ts';
import { after, day } from '../../lib/clock.ts';
import { placesOf } from '../../lib/money.ts';
import { otherCosts } from '../../texts/providers.ts';
import {
  type CostSums,
  labelsOfCosts,
  revenuePerSubmission,
  saleCurrency,
  sumCosts,
} from './store.ts';

/** Costs are stored in trillionths of the currency. */
const costPlaces = 12;
/** Beyond this, those that cost least are one row, so that the sum of all is right. */
const mostRows = 500;

/**
 * Sums what was stored with the answers, so a later change of a model's costs changes nothing. The
 * days are whole ones in UTC, with today.
 */
export const showCosts: Handler<'getCosts'> = async (ctx, _, { by, days }) => {
  const now = ctx.clock.now();
  const currency = await saleCurrency(ctx.db);
  const unitsPerMinor = 10 ** (costPlaces - placesOf(currency));
  const perSubmission = await revenuePerSubmission(ctx.db, {
    currency,
    since: after(now, -366 * day),
  });
  const since = after(now, (1 - days) * day)
    .toISOString()
    .slice(0, 10);
  const sums = (await sumCosts(ctx.db, { by, since })).sort(
    (one, other) => (by === 'day' ? 0 : other.cost - one.cost) || compareKeys(by, one, other),
  );
  const few = sums.length <= mostRows;
  const shown = few ? sums : sums.slice(0, mostRows - 1);
  const labels = await labelsOfCosts(
    ctx.db,
    by,
    shown.map(({ key }) => key),
  );
  const present = (row: CostSums, label: string): CostRow => ({
    key: row.key,
    label,
    answers: row.answers,
    submissions: row.submissions,
    tokens: {
      input: row.input_tokens,
      cached: row.cached_tokens,
      output: row.output_tokens,
      reasoning: row.reasoning_tokens,
    },
    cost_minor: row.cost / unitsPerMinor,
    unknown_costs: row.unknown_costs,
    revenue_minor: perSubmission === null ? null : row.submissions * perSubmission,
  });
  const rows = shown.map((row) => present(row, labels.get(row.key) ?? row.key));
  const others = sums.slice(shown.length);
  if (others.length > 0)
    rows.push(present({ ...others.reduce(add), key: 'others' }, otherCosts(others.length)));
  return { rows, currency };
};

const compareKeys = (by: CostGroup, { key: one }: CostSums, { key: other }: CostSums) =>
  (one < other ? -1 : 1) * (by === 'day' ? -1 : 1);

function add(one: CostSums, other: CostSums): CostSums {
  return {
    key: one.key,
    answers: one.answers + other.answers,
    submissions: one.submissions + other.submissions,
    input_tokens: one.input_tokens + other.input_tokens,
    cached_tokens: one.cached_tokens + other.cached_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    reasoning_tokens: one.reasoning_tokens + other.reasoning_tokens,
    cost: one.cost + other.cost,
    unknown_costs: one.unknown_costs + other.unknown_costs,
  };
}
