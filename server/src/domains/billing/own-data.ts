import type { Context } from '../../core/context.ts';
import { deleteBillingAddress } from './store/billing-addresses.ts';
import { listInvoices } from './store/invoices.ts';
import { clearOrderAddresses, listOrderLines, listOrdersOf, lockOrdersOf } from './store/orders.ts';
import { listPaymentsOfOrder } from './store/payments.ts';

/** A person's orders and payments for the export of their data, with the content of each invoice and credit note. */
export async function exportBilling(ctx: Context, userId: string) {
  const orders = [];
  for (const row of await listOrdersOf(ctx.db, userId)) {
    const { user_id: _, actor_id: ordered_by, order_key: __, ...order } = row;
    const lines = (await listOrderLines(ctx.db, order.id)).map(({ order_id: _, ...line }) => line);
    const payments = (await listPaymentsOfOrder(ctx.db, order.id)).map(
      ({ user_id: _, order_id: __, ...payment }) => payment,
    );
    const invoices = (await listInvoices(ctx.db, order.id)).map(
      ({ number, issued_at, document }) => ({ number, issued_at, ...document }),
    );
    const isInvoice = ({ number }: { number: string }) => number.startsWith('INV');
    orders.push({
      ...order,
      ordered_by,
      lines,
      payments,
      invoice: invoices.find(isInvoice) ?? null,
      credit_notes: invoices.filter((invoice) => !isInvoice(invoice)),
    });
  }
  return { orders };
}

/**
 * Removes name and address from a person's orders. The frozen invoices stay, because the law requires them. Belongs in a
 * transaction, before any lock on balances: fulfilling an order locks in the same sequence.
 */
export async function forgetBuyer(ctx: Context, userId: string): Promise<void> {
  await lockOrdersOf(ctx.db, userId);
  await clearOrderAddresses(ctx.db, userId);
  await deleteBillingAddress(ctx.db, userId);
}
