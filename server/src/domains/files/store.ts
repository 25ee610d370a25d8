import { type Insertable, sql, type Updateable } from 'kysely';
import type { SheetTable } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';
import type { SheetRow } from './rules.ts';

const shown = [
  'id',
  'user_id',
  'actor_id',
  'name',
  'bytes',
  'encoding',
  'delimiter',
  'header',
  'is_sure',
  'columns',
  'rows',
  'blank_rows',
  'candidates',
  'sample',
  'report',
  'metadata',
  'created_at',
  'deleted_at',
] as const satisfies readonly (keyof SheetTable)[];

interface Owned {
  id: string;
  userId: string;
}

export async function insertSheet(db: Db, sheet: Insertable<SheetTable>): Promise<SheetRow> {
  return db.insertInto('sheets').values(sheet).returning(shown).executeTakeFirstOrThrow();
}

/** Whose it is, is asked in the statement itself: foreign and absent are the same. */
export async function findSheet(db: Db, { id, userId }: Owned): Promise<SheetRow | undefined> {
  return db
    .selectFrom('sheets')
    .select(shown)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

export async function getSheet(db: Db, id: string): Promise<SheetRow> {
  return db.selectFrom('sheets').select(shown).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Without the sample and the report, which many callers have no use for. */
export async function getColumns(db: Db, id: string): Promise<string[]> {
  return (
    await db.selectFrom('sheets').select('columns').where('id', '=', id).executeTakeFirstOrThrow()
  ).columns;
}

/** Where slices of the rows file begin and end, and how the file was read. Past the last slice is the end of the file. */
export async function getStretch(db: Db, id: string, { from, to }: { from: number; to: number }) {
  return db
    .selectFrom('sheets')
    .select(['encoding', 'delimiter', 'header'])
    .select(sql<number | null>`(offsets -> ${from}::integer)::bigint`.as('start'))
    .select(sql<number>`coalesce(offsets -> ${to}::integer, offsets -> -1)::bigint`.as('end'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

export async function updateSheet(
  db: Db,
  id: string,
  changes: Updateable<SheetTable>,
): Promise<SheetRow> {
  return db
    .updateTable('sheets')
    .set(changes)
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirstOrThrow();
}

export async function listSheetIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('sheets')
    .select('id')
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** How those of these sheets that are not deleted were read. */
export async function listReadings(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('sheets')
    .select(['id', 'encoding', 'delimiter', 'header'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
}

/** A batch that is being made of the sheet waits for whoever reads it anew, and the other way round. */
export async function lockSheet(db: Db, id: string): Promise<{ isThere: boolean }> {
  const locked = db.selectFrom('sheets').select('deleted_at').where('id', '=', id).forNoKeyUpdate();
  const sheet = await locked.executeTakeFirst();
  return { isThere: sheet !== undefined && sheet.deleted_at === null };
}

export async function hasBatches(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('batches')
    .select('id')
    .where('sheet_id', '=', id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
