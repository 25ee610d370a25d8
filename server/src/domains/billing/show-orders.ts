import type {
  getOrderDetails,
  getOrders,
  getPayments,
  OrderSummary,
  ParsedRequestOf,
  PaymentSummary,
} from '@rowmill/contract';
import type { Acting } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { refuse } from '../../refusal.ts';
import { canResume, invoiceUrl } from './rules.ts';
import { findOrder, listOrderLines, listOrders, type OrderRow } from './store/orders.ts';
import { listPapers } from './store/papers.ts';
import { listPayments, listPaymentsInFull, type PaymentInFull } from './store/payments.ts';

export async function listOwnOrders(
  ctx: Context,
  { subjectId }: Acting,
  request: ParsedRequestOf<typeof getOrders>,
) {
  const rows = await listOrders(ctx.db, { ...request, userId: subjectId });
  const now = ctx.clock.now();
  return {
    orders: rows.map((row) => presentOrder(row, row.number, now)),
    total: rows[0]?.total ?? 0,
  };
}

export async function listOwnPayments(
  ctx: Context,
  { subjectId }: Acting,
  request: ParsedRequestOf<typeof getPayments>,
) {
  const rows = await listPayments(ctx.db, { ...request, userId: subjectId });
  return { payments: rows.map(presentPayment), total: rows[0]?.total ?? 0 };
}

/** Once there is an invoice, its address is the one that counts. */
export async function showOrder(
  ctx: Context,
  { subjectId }: Acting,
  request: ParsedRequestOf<typeof getOrderDetails>,
) {
  const order = await findOrder(ctx.db, { id: request.orderId, userId: subjectId });
  if (!order) refuse('not_found');
  const lines = await listOrderLines(ctx.db, order.id);
  const papers = await listPapers(ctx.db, order.id);
  const number = papers.find(({ series }) => series === 'INV')?.number ?? null;
  return {
    order: presentOrder(order, number, ctx.clock.now()),
    lines: lines.map(({ name, quantity, count, rate_minor }) => ({
      ...{ name, quantity, count, rate_minor },
      total_minor: quantity * rate_minor,
    })),
    tax_minor: order.tax_minor,
    tax_name: order.tax_name,
    tax_percent: order.tax_basis_points / 100,
    payments: (await listPaymentsInFull(ctx.db, order.id)).map(presentPayment),
    billing_address: order.billing_address,
    invoice_url: number && invoiceUrl(order.id),
    credit_notes: papers
      .filter(({ series }) => series === 'CN')
      .map((paper) => ({
        number: paper.number,
        issued_at: paper.issued_at.toISOString(),
        total_minor: paper.total_minor,
        url: `${invoiceUrl(order.id)}?credit_note=${paper.number}`,
      })),
  };
}

function presentOrder(order: OrderRow, number: string | null, now: Date): OrderSummary {
  const { id, type, created_at, paid_at, description, submissions, total_minor, refunded_minor } =
    order;
  const { currency, provider, payment_status, problem } = order;
  return {
    ...{
      order_id: id,
      number,
      type,
      description,
      submissions,
      total_minor,
      refunded_minor,
      currency,
    },
    ...{ provider, payment_status, problem },
    created_at: created_at.toISOString(),
    paid_at: paid_at?.toISOString() ?? null,
    can_resume: canResume(order, now),
    invoice_url: number && invoiceUrl(id),
  };
}

function presentPayment(row: PaymentInFull): PaymentSummary {
  const {
    id,
    order_id,
    provider,
    description,
    total_minor,
    refunded_minor,
    currency,
    payment_status,
    problem,
  } = row;
  const created_at = row.created_at.toISOString();
  return {
    id,
    order_id,
    created_at,
    provider,
    description,
    total_minor,
    refunded_minor,
    currency,
    payment_status,
    problem,
  };
}
