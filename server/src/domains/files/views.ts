import type { Handler } from '../../core/handlers.ts';
import { refuse } from '../../core/refusal.ts';
import { changeView, findView } from './store.ts';

/** How the columns of a sheet are arranged, on every machine of its owner. */
export const showView: Handler<'getSheetView'> = async (ctx, { subjectId }, { id }) => {
  const found = await findView(ctx.db, { id, userId: subjectId });
  if (!found) refuse('not_found');
  return found;
};

/** Stores the whole arrangement, so the last change wins. */
export const storeView: Handler<'changeSheetView'> = async (ctx, { subjectId }, { id, view }) => {
  if (!(await changeView(ctx.db, { id, userId: subjectId, view }))) refuse('not_found');
  return {};
};
