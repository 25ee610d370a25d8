import type { Handler } from '../../core/handlers.ts';
import { sumSpentPerDay } from '../credits/store.ts';
import { countSinglePrompts } from '../prompts/store.ts';
import { countRows } from './store/batches.ts';

/** The dashboard's figures. Charges of batches, previews and prompts come from the ledger. */
export const showUsage: Handler<'getUsage'> = async (ctx, { subjectId }, { days }) => {
  const charged = await sumSpentPerDay(ctx.db, {
    userId: subjectId,
    days: days.map((day) => new Date(day)),
  });
  const rows = await countRows(ctx.db, subjectId);
  const prompts = await countSinglePrompts(ctx.db, subjectId);
  return {
    charged,
    answered: rows.answered + prompts.answered,
    failed: rows.failed + prompts.failed,
  };
};
