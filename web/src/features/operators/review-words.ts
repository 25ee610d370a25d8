import type { Review } from '@rowmill/contract';
import { formatMoney } from '../../lib/format-money.ts';
import * as texts from '../../texts/operators.ts';

/** The mismatch, or the progress of the refund. */
export function describeMismatch({ differs, came, refused_at, give_back_problem }: Review): string {
  if (refused_at)
    return give_back_problem ? texts.refundRefused(give_back_problem) : texts.refundInProgress;
  return differs.join(', ') || (came ? texts.nothingDiffers : texts.providerSilent);
}

/** The provider's view of a payment, in one line. */
export function describeReceived(came: Review['came']): string {
  if (!came) return texts.providerSilent;
  const { amount_minor, currency, refunded_minor, disputed_minor, is_live } = came;
  const part = (minor: number) => (minor > 0 ? formatMoney(minor, currency) : null);
  return texts.receivedSum({
    sum: formatMoney(amount_minor, currency),
    refunded: part(refunded_minor),
    disputed: part(disputed_minor),
    isLive: is_live,
  });
}

export function whyNotAccepted({ differs }: Review): string {
  if (differs.includes('paid twice')) return texts.paidTwice;
  return differs.includes('buyer deleted') ? texts.buyerDeleted : texts.notPaid;
}
