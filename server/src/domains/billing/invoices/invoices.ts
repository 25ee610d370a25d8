import { nameOf } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuse } from '../../../core/refusal.ts';
import type { InvoiceDocument, InvoiceSeries } from '../../../db/billing-tables.ts';
import * as texts from '../../../texts/billing.ts';
import { getPerson } from '../../identity/accounts/profile.ts';
import { invoiceEmail } from '../emails.ts';
import { presentLine, taxWithin } from '../rules.ts';
import { insertInvoice, listInvoices, nextInvoiceNumber } from '../store/invoices.ts';
import { findOrder, listOrderLines, type OrderRow } from '../store/orders.ts';
import type { ReversalRow } from '../store/payments.ts';
import { renderInvoicePdf } from './invoice-pdf.ts';

/** Freezes company, customer and tax as they are now. Returns the invoice's number. */
export async function issueInvoice(ctx: Context, order: OrderRow): Promise<string> {
  const rows = await listOrderLines(ctx.db, order.id);
  const { user } = await getPerson(ctx, order.user_id);
  return issue(ctx, order, {
    customer: { name: nameOf(user), email: user.email, address: order.billing_address },
    taxMinor: order.tax_minor,
    series: 'INV',
    reversalRef: null,
    totalMinor: order.total_minor,
    lines: rows.map(presentLine),
    note: texts.paidBy(order.payment_method),
  });
}

/**
 * One for each completed refund or lost dispute. Together they never exceed what was reversed: a
 * lost dispute may be listed as a refund later.
 */
export async function issueCreditNotes(
  ctx: Context,
  order: OrderRow,
  reversals: readonly ReversalRow[],
  /** Whether the plan of the order is taken back too. */
  { hasPlan }: { hasPlan: boolean },
): Promise<void> {
  const completed = reversals.filter(({ state }) => state === 'taken');
  if (completed.length === 0) return;
  const invoices = await listInvoices(ctx.db, order.id);
  const invoice = invoices.find(({ series }) => series === 'INV');
  const creditNotes = invoices.filter(({ series }) => series === 'CN');
  if (!invoice) return;
  const noted = creditNotes.reduce((sum, note) => sum + note.total_minor, 0);
  let unnoted = completed.reduce((sum, { amount_minor }) => sum + amount_minor, -noted);
  let left = order.total_minor - noted;
  let taxLeft = creditNotes.reduce(
    (sum, { document }) => sum - document.tax.minor,
    invoice.document.tax.minor,
  );
  for (const { provider_ref, kind, amount_minor } of completed) {
    const totalMinor = Math.min(amount_minor, unnoted, left);
    if (totalMinor <= 0 || creditNotes.some((note) => note.reversal_ref === provider_ref)) continue;
    unnoted -= totalMinor;
    left -= totalMinor;
    // So that the notes of a full refund have exactly the tax of the invoice.
    const taxMinor = taxLeft - taxWithin(left, order.tax_basis_points);
    taxLeft -= taxMinor;
    const name =
      kind === 'refund' ? texts.refundOf(order.description) : texts.disputeOf(order.description);
    const number = await issue(ctx, order, {
      series: 'CN',
      reversalRef: provider_ref,
      totalMinor,
      taxMinor,
      // A buyer who has left or changed their name since is the same customer.
      customer: invoice.document.customer,
      lines: [{ name, quantity: 1, count: 0, rate_minor: totalMinor, total_minor: totalMinor }],
      note: texts.corrects(invoice.number),
    });
    await ctx.enqueue(ctx.db, invoiceEmail({ kind: 'refund', orderId: order.id, number, hasPlan }));
  }
}

interface Issue extends Pick<InvoiceDocument, 'customer' | 'lines' | 'note'> {
  series: InvoiceSeries;
  reversalRef: string | null;
  totalMinor: number;
  taxMinor: number;
}

async function issue(
  ctx: Context,
  order: OrderRow,
  { series, reversalRef, totalMinor, taxMinor, customer, lines, note }: Issue,
): Promise<string> {
  const { company: name, address, taxNumber, email, phone } = ctx.config.operator;
  const sequence = await nextInvoiceNumber(ctx.db, series);
  const number = `${series}-${String(sequence).padStart(6, '0')}`;
  await insertInvoice(ctx.db, {
    series,
    sequence,
    number,
    order_id: order.id,
    reversal_ref: reversalRef,
    total_minor: totalMinor,
    issued_at: ctx.clock.now(),
    document: {
      company: { name, address, tax_number: taxNumber, email, phone },
      customer,
      lines,
      currency: order.currency,
      tax: { name: order.tax_name, percent: order.tax_basis_points / 100, minor: taxMinor },
      total_minor: totalMinor,
      note,
    },
  });
  return number;
}

/** Renders the PDF on each download from the frozen document. */
export const downloadInvoice: Handler<'getInvoice'> = async (ctx, { subjectId }, request) => {
  const order = await findOrder(ctx.db, { id: request.orderId, userId: subjectId });
  const invoices = order ? await listInvoices(ctx.db, order.id) : [];
  const { credit_note: creditNote } = request;
  const invoice = invoices.find(({ series, number }) =>
    creditNote ? series === 'CN' && number === creditNote : series === 'INV',
  );
  if (!invoice) refuse('not_found');
  const content = await renderInvoicePdf(
    { ...invoice, orderId: invoice.order_id },
    ctx.config.operator.invoiceFont ?? undefined,
  );
  return { name: `${invoice.number}.pdf`, type: 'application/pdf', content };
};
