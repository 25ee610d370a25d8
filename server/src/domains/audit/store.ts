import { countLimit } from '@rowmill/contract';
import { type RawBuilder, sql } from 'kysely';
import { contains, containsPerson, countOf } from '../../db/lists.ts';
import type { Db } from '../../db/transaction.ts';
import { searched } from '../../lib/search.ts';
import { acts } from '../../texts/audit.ts';

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

/** An id of a person or request is looked for in all entries, a text in fewer. */
export async function searchAuditEntries(
  db: Db,
  { search, ...listing }: Listing & { search: string },
) {
  if (search === '') return readPage(db, allEntries, listing);
  const ofId = (['request_id', 'actor_id', 'subject_id'] as const).map((column) =>
    newestOf(column, search, listing),
  );
  const found = [...ofNamed(listing), ...ofText(search, listing), ...ofId];
  return readPage(
    db,
    sql<Found>`with named as materialized (${named(search)}) ${sql.join(found, sql` union `)}`,
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

const named = (search: string) =>
  sql`select id from (
    select id, first_name, last_name, email, search_text from users where deleted_at is null
    order by created_at desc, id desc limit ${searched.people}
  ) as newest where ${containsPerson(search)}`;

/** Entries of few people are found by index, each person's newest; those of many among the newest entries of all. */
function ofNamed(listing: Listing) {
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
function ofText(search: string, listing: Listing) {
  const wanted = search.toLowerCase().replaceAll(' ', '_');
  const found = Object.keys(acts).filter((act) => act.includes(wanted));
  const reasons = sql<Found>`(select id, at from (
    select id, at, detail->>'reason' as reason from audit_entries where detail ? 'reason'
    order by at desc, id desc limit ${searched.prompts}
  ) as newest where ${contains(sql`reason`, search)})`;
  if (found.length === 0) return [reasons];
  return [reasons, newestWhere(sql`act`, sql`act = any(${found})`, listing)];
}

/** Ends when the page and the count have enough. */
function newestWhere(columns: RawBuilder<unknown>, where: RawBuilder<unknown>, listing: Listing) {
  return sql<Found>`(select id, at from (
    select id, at, ${columns} from audit_entries order by at desc, id desc limit ${searched.newest}
  ) as newest where ${where} limit ${countLimit(listing)})`;
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
