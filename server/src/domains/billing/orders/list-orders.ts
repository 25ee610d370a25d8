import type { OrderSummary, PaymentSummary } from '@rowmill/contract';
import type { Handler } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import { withTotal } from '../../../db/lists.ts';
import { canResume, invoiceUrl, presentLine } from '../rules.ts';
import { listInvoices } from '../store/invoices.ts';
import { findOrder, listOrderLines, listOrders, type OwnOrder } from '../store/orders.ts';
import { listPayments, listPaymentsWithOrder, type PaymentWithOrder } from '../store/payments.ts';

export const listOwnOrders: Handler<'getOrders'> = async (ctx, { subjectId }, request) => {
  const { rows, total } = await withTotal(request, (page) =>
    listOrders(ctx.db, { ...page, userId: subjectId }),
  );
  const now = ctx.clock.now();
  return { orders: rows.map((row) => presentOrder(row, row.number, now)), total };
};

export const listOwnPayments: Handler<'getPayments'> = async (ctx, { subjectId }, request) => {
  const { rows, total } = await withTotal(request, (page) =>
    listPayments(ctx.db, { ...page, userId: subjectId }),
  );
  return { payments: rows.map(presentPayment), total };
};

export const showOrder: Handler<'getOrderDetails'> = async (ctx, { subjectId }, request) => {
  const order = await findOrder(ctx.db, { id: request.orderId, userId: subjectId });
  if (!order) refuse('not_found');
  const lines = await listOrderLines(ctx.db, order.id);
  const invoices = await listInvoices(ctx.db, order.id);
  const number = invoices.find(({ series }) => series === 'INV')?.number ?? null;
  return {
    order: presentOrder(order, number, ctx.clock.now()),
    lines: lines.map(presentLine),
    tax_minor: order.tax_minor,
    tax_name: order.tax_name,
    tax_percent: order.tax_basis_points / 100,
    payments: (await listPaymentsWithOrder(ctx.db, order.id)).map(presentPayment),
    billing_address: order.billing_address,
    invoice_url: number && invoiceUrl(order.id),
    credit_notes: invoices
      .filter(({ series }) => series === 'CN')
      .map((invoice) => ({
        number: invoice.number,
        issued_at: invoice.issued_at.toISOString(),
        total_minor: invoice.total_minor,
        url: `${invoiceUrl(order.id)}?credit_note=${invoice.number}`,
      })),
  };
};

function presentOrder(order: OwnOrder, number: string | null, now: Date): OrderSummary {
  return {
    order_id: order.id,
    number,
    type: order.type,
    description: order.description,
    submissions: order.submissions,
    total_minor: order.total_minor,
    refunded_minor: order.refunded_minor,
    currency: order.currency,
    provider: order.payment_method,
    payment_status: order.payment_status,
    problem: order.problem,
    created_at: order.created_at.toISOString(),
    paid_at: order.paid_at?.toISOString() ?? null,
    can_resume: canResume(order, now),
    replaced_by: order.replaced_by,
    invoice_url: number && invoiceUrl(order.id),
  };
}

function presentPayment(row: PaymentWithOrder): PaymentSummary {
  return {
    id: row.id,
    order_id: row.order_id,
    created_at: row.created_at.toISOString(),
    provider: row.payment_method,
    description: row.description,
    total_minor: row.total_minor,
    refunded_minor: row.refunded_minor,
    currency: row.currency,
    payment_status: row.payment_status,
    problem: row.problem,
    replaced_by: row.replaced_by,
  };
}
