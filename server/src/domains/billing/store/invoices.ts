import { type Selectable, sql } from 'kysely';
import type { InvoiceDocument, InvoiceSeries, InvoiceTable } from '../../../db/billing-tables.ts';
import type { Db } from '../../../db/transaction.ts';

export type InvoiceRow = Selectable<InvoiceTable>;

/** The counter is locked until the invoice is stored. A rollback frees the number: no gaps. */
export async function nextInvoiceNumber(db: Db, series: InvoiceSeries): Promise<number> {
  const { last } = await db
    .updateTable('invoice_numbers')
    .set((eb) => ({ last: eb('last', '+', 1) }))
    .where('series', '=', series)
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

interface NewInvoice extends Omit<InvoiceRow, 'document'> {
  document: InvoiceDocument;
}

export async function insertInvoice(db: Db, { document, ...invoice }: NewInvoice): Promise<void> {
  await db
    .insertInto('invoices')
    .values({ ...invoice, document: JSON.stringify(document) })
    .execute();
}

export async function listInvoices(db: Db, orderId: string) {
  return db
    .selectFrom('invoices')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('series', 'desc')
    .orderBy('sequence')
    .execute();
}

/** Invoices and credit notes in the order of their issue, each with the invoice it corrects. */
export async function listIssuedInvoices(
  db: Db,
  {
    from,
    before,
    last,
    limit,
  }: { from: Date; before: Date; last: InvoiceRow | undefined; limit: number },
) {
  return db
    .selectFrom('invoices')
    .leftJoin('invoices as corrected', (join) =>
      join
        .onRef('corrected.order_id', '=', 'invoices.order_id')
        .on('corrected.series', '=', 'INV')
        .on('invoices.series', '=', 'CN'),
    )
    .selectAll('invoices')
    .select('corrected.number as corrects')
    .where('invoices.issued_at', '>=', from)
    .where('invoices.issued_at', '<', before)
    .$if(!!last, (query) =>
      query.where(
        sql<boolean>`(invoices.issued_at, invoices.number) > (${last?.issued_at}, ${last?.number})`,
      ),
    )
    .orderBy('invoices.issued_at')
    .orderBy('invoices.number')
    .limit(limit)
    .execute();
}
