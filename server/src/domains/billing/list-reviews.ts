import type { getReviews, ParsedRequestOf, Review } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import type { Standing } from './port.ts';
import { findMismatch } from './rules.ts';
import { getOrder } from './store/orders.ts';
import { listPaymentsInReview } from './store/reviews.ts';

type Row = Awaited<ReturnType<typeof listPaymentsInReview>>[number];

/** What came is asked of the provider at this moment: it is what the operator decides about, and nothing older. */
export async function listReviews(
  ctx: Context,
  _: Actor,
  request: ParsedRequestOf<typeof getReviews>,
) {
  const rows = await listPaymentsInReview(ctx.db, request);
  return {
    reviews: await Promise.all(rows.map((row) => describe(ctx, row))),
    total: rows[0]?.total ?? 0,
  };
}

async function describe(ctx: Context, row: Row): Promise<Review> {
  const order = await getOrder(ctx.db, row.order_id);
  const standing = await ask(ctx, row);
  const isPaidTwice = order.paid_at !== null;
  const mismatch =
    standing && findMismatch({ order, payment: row, isLive: ctx.config.payments.live }, standing);
  return {
    ...{
      payment_id: row.id,
      order_id: order.id,
      provider: row.provider,
      provider_ref: row.provider_ref,
    },
    created_at: row.created_at.toISOString(),
    person: { id: row.user_id, name: row.person_name, email: row.person_email },
    ...{ description: order.description, submissions: order.submissions },
    expected: { amount_minor: order.total_minor, currency: order.currency },
    came: standing && presentStanding(standing),
    differs: [...(isPaidTwice ? ['paid twice'] : []), ...(mismatch?.split(', ') ?? [])],
    refused_at: row.refused_at?.toISOString() ?? null,
    give_back_problem: row.give_back_problem,
    can_accept: !row.refused_at && !isPaidTwice && standing?.state === 'paid',
  };
}

/** The list is useful also while a provider does not answer. */
async function ask(ctx: Context, { provider, provider_ref: ref }: Row): Promise<Standing | null> {
  try {
    return ref ? ((await ctx.payments[provider]?.find(ref)) ?? null) : null;
  } catch (error) {
    ctx.log.warn({ err: error, provider }, 'a payment in review could not be asked for');
    return null;
  }
}

function presentStanding({ amountMinor, currency, isLive, reversals }: Standing): Review['came'] {
  const refunds = reversals.filter(({ kind, state }) => kind === 'refund' && state !== 'returned');
  const refunded_minor = refunds.reduce((sum, refund) => sum + refund.amountMinor, 0);
  return { amount_minor: amountMinor, currency, refunded_minor, is_live: isLive };
}
