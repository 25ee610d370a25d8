import { Readable } from 'node:stream';
import { byteOrderMark, csvLine } from '@rowmill/contract';
import type { Context } from '../../../core/context.ts';
import type { Handler } from '../../../core/handlers.ts';
import { refuseField } from '../../../core/refusal.ts';
import { after, day } from '../../../lib/clock.ts';
import { toDecimal } from '../../../lib/money.ts';
import * as texts from '../../../texts/billing.ts';
import { listIssuedInvoices } from '../store/invoices.ts';

type Issued = Awaited<ReturnType<typeof listIssuedInvoices>>[number];

const longestPeriod = 366 * day;
/** Each has its whole document, of some kilobytes. */
const invoicesPerPage = 200;

/** For the tax return: what the invoices of a period say, read while it is sent. */
export const downloadInvoiceList: Handler<'downloadInvoiceList'> = async (ctx, _, { from, to }) => {
  const period = { from: new Date(from), before: after(new Date(to), day) };
  const length = period.before.getTime() - period.from.getTime();
  if (length <= 0) refuseField('to', texts.endsBeforeStart);
  if (length > longestPeriod) refuseField('to', texts.periodTooLong);
  return {
    name: `rowmill-invoices-${from}-${to}.csv`,
    type: 'text/csv; charset=utf-8',
    content: Readable.from(encoded(ctx, period)),
  };
};

async function* encoded(
  ctx: Context,
  period: { from: Date; before: Date },
): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + csvLine(texts.invoiceListTitles));
  for (let last: Issued | undefined; ; ) {
    const page = await listIssuedInvoices(ctx.db, { ...period, last, limit: invoicesPerPage });
    last = page.at(-1);
    if (!last) return;
    yield Buffer.from(page.map((invoice) => csvLine(cellsOf(invoice))).join(''));
  }
}

function cellsOf({ series, number, issued_at, corrects, order_id, document }: Issued): string[] {
  const { customer, currency, tax, total_minor } = document;
  const { name, company, country = '', tax_id = '' } = customer.address;
  const sign = series === 'CN' ? -1 : 1;
  const money = (minor: number) => toDecimal(sign * minor, currency);
  return [
    number,
    issued_at.toISOString().slice(0, 10),
    corrects ?? '',
    company || name || customer.name,
    country,
    tax_id,
    money(total_minor - tax.minor),
    String(tax.percent),
    money(tax.minor),
    money(total_minor),
    currency,
    order_id,
  ];
}
