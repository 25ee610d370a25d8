import type { SheetView } from '@rowmill/contract';
import { type Insertable, sql, type Updateable } from 'kysely';
import { contains, isOneOf, type SearchedPage } from '../../db/lists.ts';
import type { SheetTable } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { leastBytes } from '../../lib/stored-bounds.ts';
import type { SheetRow } from './rules.ts';

const columns = [
  'id',
  'user_id',
  'actor_id',
  'name',
  'bytes',
  'encoding',
  'delimiter',
  'header',
  'layout',
  'worksheets',
  'dialect_confirmed',
  'columns',
  'rows',
  'blank_rows',
  'column_sizes',
  'stored_bytes',
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

export async function insertSheet(db: Db, sheet: Insertable<SheetTable>) {
  return db.insertInto('sheets').values(sheet).returning(columns).executeTakeFirstOrThrow();
}

/** The sheets that the person has not deleted. */
function ownSheets(db: Db, userId: string) {
  return db.selectFrom('sheets').where('user_id', '=', userId).where('deleted_at', 'is', null);
}

/** The statement checks the owner, so a sheet of another person looks like a missing one. */
export async function findSheet(db: Db, { id, userId }: Owned) {
  return ownSheets(db, userId).select(columns).where('id', '=', id).executeTakeFirst();
}

export async function findSheetOfBatch(
  db: Db,
  { id, userId }: Owned,
): Promise<SheetRow | undefined> {
  const batch = await db
    .selectFrom('batches')
    .select('sheet_id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return batch?.sheet_id ? findSheet(db, { id: batch.sheet_id, userId }) : undefined;
}

export async function getSheet(db: Db, id: string) {
  return db.selectFrom('sheets').select(columns).where('id', '=', id).executeTakeFirstOrThrow();
}

export async function getColumns(db: Db, id: string): Promise<string[]> {
  const sheet = db.selectFrom('sheets').select('columns').where('id', '=', id);
  return (await sheet.executeTakeFirstOrThrow()).columns;
}

/** Columns and formats of some sheets, by id. */
export async function getColumnsAndFormats(db: Db, ids: readonly string[]) {
  const sheets = await db
    .selectFrom('sheets')
    .select(['id', 'columns', 'layout'])
    .where('id', 'in', ids)
    .execute();
  return new Map(
    sheets.map(({ id, columns, layout }) => [
      id,
      { columns, format: layout.format ?? ('delimited' as const) },
    ]),
  );
}

interface Blocks {
  from: number;
  to: number;
}

/** The byte ranges of blocks of the rows file, its dialect, and the cells of each row. */
export async function getByteRanges(db: Db, id: string, blocks: readonly Blocks[]) {
  const froms = `{${blocks.map(({ from }) => from).join(',')}}`;
  const tos = `{${blocks.map(({ to }) => to).join(',')}}`;
  const { ranges, ...sheet } = await db
    .selectFrom('sheets')
    .select(['encoding', 'delimiter', 'header', 'layout'])
    .select(sql<number>`jsonb_array_length(columns)`.as('width'))
    .select(
      sql<[start: number | null, end: number][] | null>`(
        select jsonb_agg(
          jsonb_build_array(offsets -> wanted.start, coalesce(offsets -> wanted.end, offsets -> -1))
          order by wanted.place)
        from unnest(${froms}::integer[], ${tos}::integer[]) with ordinality as wanted (start, "end", place)
      )`.as('ranges'),
    )
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...sheet, ranges: ranges ?? [] };
}

export async function updateSheet(db: Db, id: string, changes: Updateable<SheetTable>) {
  return db
    .updateTable('sheets')
    .set(changes)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function lockSheets(db: Db, ids: readonly string[]): Promise<void> {
  const these = db.selectFrom('sheets').select('id').where(isOneOf('id', ids));
  await these.orderBy('id').forNoKeyUpdate().execute();
}

/** Removes what is in these sheets. */
export async function markDeleted(db: Db, ids: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('sheets')
    .set({
      sample: '[]',
      report: '{"problems":[],"total":0}',
      candidates: '[]',
      metadata: '{}',
      view: null,
      name: '',
      columns: '[]',
      column_sizes: '[]',
      worksheets: '[]',
      deleted_at: now,
    })
    .where(isOneOf('id', ids))
    .execute();
}

export async function findView(db: Db, { id, userId }: Owned) {
  return ownSheets(db, userId).select('view').where('id', '=', id).executeTakeFirst();
}

/** False: there is no such sheet. */
export async function changeView(
  db: Db,
  { id, userId, view }: Owned & { view: SheetView },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sheets')
    .set({ view: JSON.stringify(view) })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns their ids. */
export async function lockSheetsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await ownSheets(db, userId).select('id').orderBy('id').forNoKeyUpdate().execute();
  return rows.map(({ id }) => id);
}

/** The dialects of those of these sheets that are not deleted. */
export async function listDialects(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('sheets')
    .select(['id', 'encoding', 'delimiter', 'header', 'layout'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Creating a batch and revising its sheet wait for each other. False: the sheet was deleted. */
export async function lockSheet(db: Db, id: string): Promise<boolean> {
  const locked = db.selectFrom('sheets').select('deleted_at').where('id', '=', id).forNoKeyUpdate();
  const sheet = await locked.executeTakeFirst();
  return sheet !== undefined && sheet.deleted_at === null;
}

/** With the batches that use each sheet of the page. */
export async function listSheets(
  db: Db,
  { userId, start, limit, search }: SearchedPage & { userId: string },
) {
  const page = ownSheets(db, userId)
    .select(['id', 'name', 'bytes', 'stored_bytes', 'rows', 'created_at'])
    .select(sql<number>`jsonb_array_length(columns)`.as('columns'))
    .select(sql<number>`count(*) over ()::integer`.as('total'))
    .where(search ? contains(sql`name`, search) : sql<boolean>`true`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(start)
    .limit(limit);
  return db
    .selectFrom(page.as('page'))
    .selectAll()
    .select(
      sql<number>`(select count(*) from batches where sheet_id = page.id and deleted_at is null)::integer`.as(
        'batches',
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/**
 * The bytes of a person's sheets and batches, with the texts that may be long. A batch that has not
 * ended counts with the rows that it will store.
 */
export async function sumStorage(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select ((select coalesce(sum(${leastBytes.sheet} + stored_bytes + coalesce(pg_column_size(view), 0)), 0)
        from sheets where user_id = ${userId} and deleted_at is null)
      + (select coalesce(sum(${leastBytes.batch} + result_bytes + pg_column_size(question) + pg_column_size(variables)
          + pg_column_size(options) + coalesce(pg_column_size(selected_rows), 0)
          + ${leastBytes.row}::bigint * case when state in ('running', 'paused') then rows else answered + failed + skipped end), 0)
        from batches where user_id = ${userId} and deleted_at is null))::bigint as bytes`.execute(
    db,
  );
  return rows[0]?.bytes ?? 0;
}

/** A person's uploads and starts take it in turn, so that together they keep to the limit. */
export async function lockStorage(db: Db, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`storage:${userId}`}))`.execute(db);
}

export type SheetFilter = { userId: string } | { before: Date } | { ids: readonly string[] };

export async function listUnusedSheets(
  db: Db,
  filter: SheetFilter,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('sheets')
    .select('id')
    .where('deleted_at', 'is', null)
    .where(matches(filter))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('batches')
            .select('batches.id')
            .whereRef('batches.sheet_id', '=', 'sheets.id')
            .where('batches.deleted_at', 'is', null),
        ),
      ),
    )
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

function matches(filter: SheetFilter) {
  if ('userId' in filter) return sql<boolean>`user_id = ${filter.userId}`;
  if ('before' in filter) return sql<boolean>`created_at < ${filter.before}`;
  return isOneOf('id', filter.ids);
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
