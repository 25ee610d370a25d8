import { getPlans } from '@rowmill/contract';
import { queryOf } from '../../lib/api/query.ts';

/** The plans on offer, with what they cost now. */
export const plansQuery = () => queryOf(getPlans, {});
