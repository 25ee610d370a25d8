import type { Handler } from '../../core/handlers.ts';
import { day } from '../../lib/clock.ts';
import {
  countRecentRows,
  countUnderWay,
  countWaiting,
  listThrottled,
  sumReceived,
} from './store/overview.ts';

/** Each count is read from an index of just those records, which stays quick. */
export const showOverview: Handler<'getOverview'> = async ({ db, clock }) => {
  const now = clock.now();
  const since = new Date(now.getTime() - day);
  const throttled = await listThrottled(db, now);
  return {
    batches: await countUnderWay(db),
    throttled: throttled.map(({ model, until }) => ({ model, until: until.toISOString() })),
    ...(await countWaiting(db, since)),
    since: since.toISOString(),
    rows: await countRecentRows(db, since),
    received: await sumReceived(db, since),
  };
};
