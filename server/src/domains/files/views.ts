import type { CallRequest } from '@rowmill/contract';
import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import { changeView, findView } from './store.ts';

/** How the columns of a sheet are arranged, on every machine of its owner. */
export async function showView(
  ctx: Context,
  { subjectId }: ActingFor,
  { id }: CallRequest<'getSheetView'>,
) {
  const found = await findView(ctx.db, { id, userId: subjectId });
  if (!found) refuse('not_found');
  return found;
}

/** The last change counts: an arrangement is stored as a whole. */
export async function storeView(
  ctx: Context,
  { subjectId }: ActingFor,
  { id, view }: CallRequest<'changeSheetView'>,
) {
  if (!(await changeView(ctx.db, { id, userId: subjectId, view }))) refuse('not_found');
  return {};
}
