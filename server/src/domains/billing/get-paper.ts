import type { getInvoice, ParsedRequestOf } from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import type { FileAnswer } from '../../handlers.ts';
import { refuse } from '../../refusal.ts';
import { drawPaper } from './draw-paper.ts';
import { findOrder } from './store/orders.ts';
import { listPapers } from './store/papers.ts';

/** Drawn anew each time from what was frozen when it was issued. */
export async function getPaper(
  ctx: Context,
  { subjectId }: Acting,
  request: ParsedRequestOf<typeof getInvoice>,
): Promise<FileAnswer> {
  const order = await findOrder(ctx.db, { id: request.orderId, userId: subjectId });
  const papers = order ? await listPapers(ctx.db, order.id) : [];
  const { credit_note: wanted } = request;
  const paper = papers.find(({ series, number }) =>
    wanted ? series === 'CN' && number === wanted : series === 'INV',
  );
  if (!paper) refuse('not_found');
  const content = await drawPaper({ ...paper, orderId: paper.order_id });
  return { name: `${paper.number}.pdf`, type: 'application/pdf', content };
}
