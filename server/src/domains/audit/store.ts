import { countLimit } from '@rowmill/contract';
import { type QueryCreator, type RawBuilder, sql } from 'kysely';
import {
  contains,
  countOf,
  named,
  nearerEnd,
  type Page,
  type SearchedPage,
  withTotal,
} from '../../db/lists.ts';
import type { Schema } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { searched } from '../../lib/search.ts';
import { findActs } from '../../texts/audit.ts';

interface AuditEntry {
  at: Date;
  actorId: string;
  act: string;
  detail: Record<string, unknown>;
  requestId: string;
  subjects: readonly { id: string; subjectId: string }[];
}

/** One act on several people in one statement, with an entry for each. */
export async function insertAuditEntries(
  db: Db,
  { at, actorId, act, detail, requestId, subjects }: AuditEntry,
): Promise<void> {
  const ids = subjects.map(({ id }) => id);
  const people = subjects.map(({ subjectId }) => subjectId);
  await sql`
    insert into audit_entries (id, at, actor_id, subject_id, act, detail, request_id)
    select id, ${at}::timestamptz, ${actorId}::text, subject_id, ${act}::text,
      ${JSON.stringify(detail)}::jsonb, ${requestId}::text
    from unnest(${sql.val(ids)}::text[], ${sql.val(people)}::text[]) as subjects (id, subject_id)`.execute(
    db,
  );
}

export async function listActivityOf(
  db: Db,
  { subjectId, withOwnActs, ...page }: Page & { subjectId: string; withOwnActs: boolean },
) {
  return withTotal(page, (page) => {
    const ofSubject = newestOf('subject_id', subjectId, page);
    const own = newestOf('actor_id', subjectId, page);
    return readPage(db, withOwnActs ? sql`${ofSubject} union ${own}` : ofSubject, page);
  });
}

/** A page of all entries, or of those that a search finds, newest first. */
export async function listAuditEntries(db: Db, { search, ...page }: SearchedPage) {
  if (search === '') return listAll(db, page);
  const found = await withTotal(page, (page) => searchEntries(db, search, page));
  const all = await countAll(db);
  const bounds = { acts: searched.newest, reasons: searched.prompts };
  return { ...found, searched: all > bounds.reasons ? bounds : null };
}

async function countAll(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('audit_counts')
    .select(sql<number>`sum(count)::int4`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

async function listAll(db: Db, { start, limit }: Page) {
  const total = await countAll(db);
  const { size, isFromEnd, offset } = nearerEnd({ start, limit, total });
  const order = isFromEnd ? sql`at, id` : sql`at desc, id desc`;
  // Without statistics the database would read a list of ids again for each entry.
  const ids = sql<string>`any (array(
    select id from audit_entries order by ${order} offset ${offset} limit ${size}))`;
  const rows = await withNames(db).where('audit_entries.id', '=', ids).execute();
  return { rows, total: Math.min(total, countLimit({ start, limit })), searched: null };
}

/** An id of a person or request is looked for in all entries, a text in fewer. */
function searchEntries(db: Db, search: string, listing: Page) {
  const people = db.selectFrom('users').select('id').where('deleted_at', 'is', null);
  const ofId = (['request_id', 'actor_id', 'subject_id'] as const).map((column) =>
    newestOf(column, search, listing),
  );
  const found = [...ofNamed(listing), ...ofText(search, listing), ...ofId];
  return readPage(
    db,
    sql<Found>`with named as materialized (${named(people, search)}) ${sql.join(found, sql` union `)}`,
    listing,
  );
}

interface Found {
  id: string;
  at: Date;
}

function newestOf(column: 'request_id' | 'actor_id' | 'subject_id', id: string, listing: Page) {
  return sql<Found>`(select id, at from audit_entries where ${sql.ref(column)} = ${id}
    order by at desc, id desc limit ${countLimit(listing)})`;
}

/** Entries of few people are found by index, those of many among the newest entries of all. */
function ofNamed(listing: Page) {
  const areFew = sql`(select count(*) from named) <= ${searched.peopleByIndex}`;
  const ofEach = (['actor_id', 'subject_id'] as const).map(
    (column) => sql<Found>`(select each.id, each.at from named cross join lateral (
      select id, at from audit_entries where ${sql.ref(column)} = named.id
      order by at desc, id desc limit ${countLimit(listing)}
    ) as each where ${areFew})`,
  );
  const ofMany = newestWhere(
    sql`actor_id, subject_id`,
    sql`not ${areFew} and (actor_id in (select id from named) or subject_id in (select id from named))`,
    listing,
  );
  return [...ofEach, ofMany];
}

/** Most texts are in no act, and few entries have a reason. */
function ofText(search: string, listing: Page) {
  const found = findActs(search);
  const reasons = sql<Found>`(select id, at from (
    select id, at, detail->>'reason' as reason from audit_entries where detail ? 'reason'
    order by at desc, id desc limit ${searched.prompts}
  ) as newest where ${contains(sql`reason`, search)})`;
  if (found.length === 0) return [reasons];
  return [reasons, newestWhere(sql`act`, sql`act = any(${found})`, listing)];
}

/** Ends when the page and the count have enough. */
function newestWhere(columns: RawBuilder<unknown>, where: RawBuilder<unknown>, listing: Page) {
  return sql<Found>`(select id, at from (
    select id, at, ${columns} from audit_entries order by at desc, id desc limit ${searched.newest}
  ) as newest where ${where} limit ${countLimit(listing)})`;
}

/** Chooses and counts a page by ids: with the names of people it would take ten times as long. */
async function readPage(db: Db, found: RawBuilder<Found>, { start, limit }: Page) {
  const page = sql<string>`any (array(
    select id from found order by at desc, id desc offset ${start} limit ${limit}))`;
  return withNames(
    db.with(
      (name) => name('found').materialized(),
      () => sql<Found>`(${found})`,
    ),
  )
    .select(countOf({ start, limit }).as('total'))
    .where('audit_entries.id', '=', page)
    .execute();
}

function withNames(db: QueryCreator<Schema>) {
  return db
    .selectFrom('audit_entries')
    .innerJoin('users as actor', 'actor.id', 'audit_entries.actor_id')
    .innerJoin('users as subject', 'subject.id', 'audit_entries.subject_id')
    .select(['audit_entries.id', 'at', 'act', 'detail', 'actor_id', 'subject_id', 'request_id'])
    .select([
      sql<string>`actor.first_name || ' ' || actor.last_name`.as('actor_name'),
      'actor.email as actor_email',
    ])
    .select([
      sql<string>`subject.first_name || ' ' || subject.last_name`.as('subject_name'),
      'subject.email as subject_email',
    ])
    .select(
      sql<
        string | null
      >`(select first_name || ' ' || last_name from users where id = detail->>'to')`.as(
        'new_admin_name',
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('audit_entries.id', 'desc');
}

/**
 * The names of a person's batches or sheets. They are read here, because audit entries hold no
 * names that people chose. A deleted one has none.
 */
export async function listNames(
  db: Db,
  { table, userId, ids }: { table: 'batches' | 'sheets'; userId: string; ids: readonly string[] },
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom(table)
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
