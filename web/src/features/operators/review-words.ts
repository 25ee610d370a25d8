import type { Review } from '@rowmill/contract';
import { formatMoney } from '../../lib/format.ts';

/** What the provider says of a payment, in one line. */
export function cameWords(came: Review['came']): string {
  if (!came) return 'The provider does not say';
  const { amount_minor, currency, refunded_minor, is_live } = came;
  const back = refunded_minor > 0 ? `, ${formatMoney(refunded_minor, currency)} of it given back` : '';
  return `${formatMoney(amount_minor, currency)}${back}${is_live ? '' : ' (test money)'}`;
}
