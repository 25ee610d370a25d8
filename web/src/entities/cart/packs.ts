import { type CreditPack, listCreditsAvailableForPurchase } from '@rowmill/contract';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/entities.ts';

/** The packs on sale, with what they hold and cost now. */
export const packsQuery = () => queryOf(listCreditsAvailableForPurchase, {});

/** The currency of all prices. Without packs there is no price to show in it. */
export function currencyOf(packs: readonly CreditPack[]): string {
  return packs[0]?.currency ?? 'GBP';
}

/** How many submissions a pack holds, unless its name says so. */
export function packContents(name: string, count: number): string | null {
  return name.replace(/\D/g, '') === String(count)
    ? null
    : texts.submissionCount(formatNumber(count));
}
