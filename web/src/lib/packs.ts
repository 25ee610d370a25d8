import { listCreditsAvailableForPurchase } from '@rowmill/contract';
import { queryOf } from './query.ts';

/** The packs on sale, with what they hold and cost now. */
export const packsQuery = () => queryOf(listCreditsAvailableForPurchase, {});
