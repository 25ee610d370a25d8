import type { Handler } from '../../core/handlers.ts';
import { sumSpentPerDay } from '../credits/store.ts';
import { readAnswerCounts } from './store/batches.ts';

/** The dashboard's figures. Charges of batches, previews and prompts come from the ledger. */
export const showUsage: Handler<'getUsage'> = async (ctx, { subjectId }, { days }) => {
  const charged = await sumSpentPerDay(ctx.db, {
    userId: subjectId,
    days: days.map((day) => new Date(day)),
  });
  return { charged, ...(await readAnswerCounts(ctx.db, subjectId)) };
};
