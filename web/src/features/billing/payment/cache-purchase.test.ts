import { getAvailableCredits, userList } from '@rowmill/contract';
import { beforeEach, expect, it } from 'vitest';
import { resetStorage } from '../../../../harness/memory-storage.ts';
import { queryState, setQueryData } from '../../../lib/api/query.ts';
import { cachePurchase } from './cache-purchase.ts';

beforeEach(resetStorage);

it('shows the new balance of a buyer, and what an admin can give is fetched again', () => {
  const page = { start: 0, limit: 20 };
  setQueryData(userList, page, { status: true, users: [], total: 0, can_give: 10 });
  cachePurchase('u', { type: 'credits', currentPlan: null, creditsAvailable: 500, debt: 10 });
  const balance = queryState(getAvailableCredits, { creditUser: { user_id: 'u' } })?.data;
  expect(balance).toMatchObject({ creditsAvailable: 500, debt: 10 });
  expect(queryState(userList, page)?.isInvalidated).toBe(true);
});
