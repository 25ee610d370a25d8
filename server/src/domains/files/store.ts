import type { Insertable, Updateable } from 'kysely';
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
  return (await db.selectFrom('sheets').select('columns').where('id', '=', id).executeTakeFirstOrThrow()).columns;
}

export async function getOffsets(db: Db, id: string): Promise<number[]> {
  return (await db.selectFrom('sheets').select('offsets').where('id', '=', id).executeTakeFirstOrThrow()).offsets;
}

export async function updateSheet(db: Db, id: string, changes: Updateable<SheetTable>): Promise<SheetRow> {
  return db.updateTable('sheets').set(changes).where('id', '=', id).returning(shown).executeTakeFirstOrThrow();
}

export async function listSheetIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('sheets').select('id').where('user_id', '=', userId).where('deleted_at', 'is', null).execute();
  return rows.map(({ id }) => id);
}

/** A batch that is being made of the sheet waits for whoever reads it anew, and the other way round. */
export async function lockSheet(db: Db, id: string): Promise<void> {
  await db.selectFrom('sheets').select('id').where('id', '=', id).forUpdate().execute();
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
