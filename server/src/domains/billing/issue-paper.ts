import type { Context } from '../../context.ts';
import type { PaperDocument, PaperSeries } from '../../db/billing-tables.ts';
import { getPerson } from '../identity/get-person.ts';
import { billingMail } from './mails.ts';
import { taxWithin } from './rules.ts';
import { listOrderLines, type OrderRow } from './store/orders.ts';
import { insertPaper, listPapers, takeNumber } from './store/papers.ts';
import type { ReversalRow } from './store/payments.ts';

const paidBy = { card: 'Paid by card', wallet: 'Paid by wallet' };

/** Frozen as it is issued: company, customer and tax as they are at this moment. Gives its number. */
export async function issueInvoice(ctx: Context, order: OrderRow): Promise<string> {
  const rows = await listOrderLines(ctx.db, order.id);
  const lines = rows.map(({ name, quantity, count, rate_minor }) => ({
    ...{ name, quantity, count, rate_minor },
    total_minor: quantity * rate_minor,
  }));
  return issue(ctx, order, {
    series: 'INV',
    reversalRef: null,
    totalMinor: order.total_minor,
    lines,
    note: paidBy[order.provider],
  });
}

/** One for each refund or lost dispute that is final, as far as the price is not given back already. */
export async function issueCreditNotes(
  ctx: Context,
  order: OrderRow,
  reversals: readonly ReversalRow[],
): Promise<void> {
  const final = reversals.filter(({ state }) => state === 'taken');
  if (final.length === 0) return;
  const papers = await listPapers(ctx.db, order.id);
  const invoice = papers.find(({ series }) => series === 'INV');
  let left =
    order.total_minor -
    papers
      .filter(({ series }) => series === 'CN')
      .reduce((sum, paper) => sum + paper.total_minor, 0);
  for (const { provider_ref, kind, amount_minor } of final) {
    const totalMinor = Math.min(amount_minor, left);
    if (totalMinor <= 0 || papers.some(({ reversal_ref }) => reversal_ref === provider_ref))
      continue;
    left -= totalMinor;
    const name =
      kind === 'refund'
        ? `Refund of ${order.description}`
        : `Disputed payment of ${order.description}`;
    const lines = [
      { name, quantity: 1, count: 0, rate_minor: totalMinor, total_minor: totalMinor },
    ];
    const note = `Corrects invoice ${invoice?.number ?? ''}`.trim();
    const number = await issue(ctx, order, {
      series: 'CN',
      reversalRef: provider_ref,
      totalMinor,
      lines,
      note,
    });
    await ctx.enqueue(ctx.db, billingMail({ kind: 'refund', orderId: order.id, number }));
  }
}

interface Issue extends Pick<PaperDocument, 'lines' | 'note'> {
  series: PaperSeries;
  reversalRef: string | null;
  totalMinor: number;
}

async function issue(
  ctx: Context,
  order: OrderRow,
  { series, reversalRef, totalMinor, lines, note }: Issue,
): Promise<string> {
  const { company: name, address, email, phone } = ctx.config.operator;
  const { user } = await getPerson(ctx, order.user_id);
  const customer = {
    name: `${user.first_name} ${user.last_name}`,
    email: user.email,
    address: order.billing_address,
  };
  const tax = {
    name: order.tax_name,
    percent: order.tax_basis_points / 100,
    minor: taxWithin(totalMinor, order.tax_basis_points),
  };
  const { currency, id: order_id } = order;
  const document = {
    company: { name, address, email, phone },
    customer,
    lines,
    currency,
    tax,
    total_minor: totalMinor,
    note,
  };
  const sequence = await takeNumber(ctx.db, series);
  const number = `${series}-${String(sequence).padStart(6, '0')}`;
  const paper = {
    series,
    sequence,
    number,
    order_id,
    reversal_ref: reversalRef,
    total_minor: totalMinor,
  };
  await insertPaper(ctx.db, { ...paper, issued_at: ctx.clock.now(), document });
  return number;
}
