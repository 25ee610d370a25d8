import { countLimit } from '@rowmill/contract';
import { type RawBuilder, sql } from 'kysely';
import { contains, countOf } from '../../db/lists.ts';
import type { Db } from '../../db/transaction.ts';
import { containing, searched } from '../../lib/search.ts';

interface AuditEntry {
  id: string;
  at: Date;
  actorId: string;
  subjectId: string;
  act: string;
  detail: Record<string, unknown>;
  requestId: string;
}

export async function insertAuditEntry(
  db: Db,
  { id, at, act, ...entry }: AuditEntry,
): Promise<void> {
  await db
    .insertInto('audit_entries')
    .values({
      id,
      at,
      act,
      actor_id: entry.actorId,
      subject_id: entry.subjectId,
      detail: JSON.stringify(entry.detail),
      request_id: entry.requestId,
    })
    .execute();
}

interface Listing {
  start: number;
  limit: number;
}

export async function listActivityOf(
  db: Db,
  { subjectId, withOwnActs, ...listing }: Listing & { subjectId: string; withOwnActs: boolean },
) {
  const ofSubject = newestOf('subject_id', subjectId, listing);
  const own = newestOf('actor_id', subjectId, listing);
  return readPage(db, withOwnActs ? sql`${ofSubject} union ${own}` : ofSubject, listing);
}

/** A text is looked for in the newest entries, an id of a person or request in all. */
export async function searchAuditEntries(
  db: Db,
  { search, ...listing }: Listing & { search: string },
) {
  if (search === '') return readPage(db, allEntries, listing);
  const ofId = (['request_id', 'actor_id', 'subject_id'] as const).map((column) =>
    newestOf(column, search, listing),
  );
  return readPage(
    db,
    sql<Found>`${sql.join([containingText(search), ...ofId], sql` union `)}`,
    listing,
  );
}

interface Found {
  id: string;
  at: Date;
}

const allEntries = sql<Found>`select id, at from audit_entries`;

function newestOf(column: 'request_id' | 'actor_id' | 'subject_id', id: string, listing: Listing) {
  return sql<Found>`(select id, at from audit_entries where ${sql.ref(column)} = ${id}
    order by at desc, id desc limit ${countLimit(listing)})`;
}

/** The names of people are compared once, not for each of their entries. */
function containingText(search: string) {
  const named = sql`select id from (
    select id, first_name, last_name, email from users where deleted_at is null
    order by created_at desc, id desc limit ${searched.people}
  ) as newest where ${contains(sql`(first_name || ' ' || last_name || ' ' || email)`, search)}`;
  const act = containing(search.toLowerCase()).replaceAll(' ', '_');
  return sql`(select id, at from (
    select id, at, actor_id, subject_id, act, detail from audit_entries order by at desc, id desc limit ${searched.newest}
  ) as newest where actor_id in (${named}) or subject_id in (${named}) or act like ${act}
    or ${contains(sql`(detail->>'reason')`, search)})`;
}

/** Chooses and counts a page by ids: with the names of the people that would take ten times as long. */
async function readPage(db: Db, found: RawBuilder<Found>, { start, limit }: Listing) {
  return db
    .with(
      (name) =>
        found === allEntries ? name('found').notMaterialized() : name('found').materialized(),
      () => sql<Found>`(${found})`,
    )
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
    .select(countOf({ start, limit }).as('total'))
    .where('audit_entries.id', 'in', (eb) =>
      eb
        .selectFrom('found')
        .select('found.id')
        .orderBy('found.at', 'desc')
        .orderBy('found.id', 'desc')
        .offset(start)
        .limit(limit),
    )
    .orderBy('at', 'desc')
    .orderBy('audit_entries.id', 'desc')
    .execute();
}
