import type { Context } from '../../context.ts';
import { listOrderLines } from './store/orders.ts';
import { listOrdersOf } from './store/own-data.ts';
import { listPapers } from './store/papers.ts';
import { listPaymentsOfOrder } from './store/payments.ts';

/** What somebody has ordered and paid, for the file of his data, with the text of each invoice and credit note. */
export async function exportBilling(ctx: Context, userId: string) {
  const orders = [];
  for (const { user_id: _, actor_id: by, order_key: __, ...order } of await listOrdersOf(
    ctx.db,
    userId,
  )) {
    const lines = (await listOrderLines(ctx.db, order.id)).map(({ order_id: _, ...line }) => line);
    const payments = (await listPaymentsOfOrder(ctx.db, order.id)).map(
      ({ user_id: _, order_id: __, ...payment }) => payment,
    );
    const papers = await listPapers(ctx.db, order.id);
    const told = papers.map(({ number, issued_at, document }) => ({
      number,
      issued_at,
      ...document,
    }));
    const isInvoice = ({ number }: { number: string }) => number.startsWith('INV');
    orders.push({
      ...{ ...order, ordered_by: by, lines, payments },
      invoice: told.find(isInvoice) ?? null,
      credit_notes: told.filter((paper) => !isInvoice(paper)),
    });
  }
  return { orders };
}
