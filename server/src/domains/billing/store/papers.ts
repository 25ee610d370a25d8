import type { Selectable } from 'kysely';
import type { PaperDocument, PaperSeries, PaperTable } from '../../../db/billing-tables.ts';
import type { Db } from '../../../db/transaction.ts';

export type PaperRow = Selectable<PaperTable>;

/** The next number of a series: the row is locked until the paper is there, and a rollback gives the number back. */
export async function takeNumber(db: Db, series: PaperSeries): Promise<number> {
  const { last } = await db
    .updateTable('paper_numbers')
    .set((eb) => ({ last: eb('last', '+', 1) }))
    .where('series', '=', series)
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

interface NewPaper extends Omit<PaperRow, 'document'> {
  document: PaperDocument;
}

export async function insertPaper(db: Db, { document, ...paper }: NewPaper): Promise<void> {
  await db
    .insertInto('papers')
    .values({ ...paper, document: JSON.stringify(document) })
    .execute();
}

export async function listPapers(db: Db, orderId: string): Promise<PaperRow[]> {
  return db
    .selectFrom('papers')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('series', 'desc')
    .orderBy('sequence')
    .execute();
}
