import { sql } from 'kysely';
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

const countAll = sql<number>`count(*)`.as('count');

interface Listing {
  start: number;
  limit: number;
}

/** Counted apart: with the names of the people it would take ten times as long. */
function selectEntries(db: Db) {
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
    .orderBy('at', 'desc')
    .orderBy('audit_entries.id', 'desc');
}

export async function listActivityOf(
  db: Db,
  { subjectId, withOwnActs, start, limit }: Listing & { subjectId: string; withOwnActs: boolean },
) {
  return selectEntries(db)
    .select(sql<number>`count(*) over ()`.as('total'))
    .where((eb) =>
      eb.or([
        eb('subject_id', '=', subjectId),
        ...(withOwnActs ? [eb('actor_id', '=', subjectId)] : []),
      ]),
    )
    .offset(start)
    .limit(limit)
    .execute();
}

/** A text is looked for in the newest entries, an id of a person or request in all. */
export async function searchAuditEntries(
  db: Db,
  { search, start, limit }: Listing & { search: string },
) {
  if (search === '')
    return selectEntries(db)
      .select((eb) => eb.selectFrom('audit_entries').select(countAll).as('total'))
      .offset(start)
      .limit(limit)
      .execute();
  return selectEntries(db)
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('audit_entries.id', 'in', matchingIds(db, search))
    .offset(start)
    .limit(limit)
    .execute();
}

function matchingIds(db: Db, search: string) {
  const pattern = containing(search);
  const byId = (column: 'request_id' | 'actor_id' | 'subject_id') =>
    db.selectFrom('audit_entries').select('id').where(column, '=', search);
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_entries')
        .selectAll()
        .orderBy('at', 'desc')
        .limit(searched.newest)
        .as('newest'),
    )
    .innerJoin('users as actor', 'actor.id', 'newest.actor_id')
    .innerJoin('users as subject', 'subject.id', 'newest.subject_id')
    .select('newest.id')
    .where((eb) =>
      eb.or([
        eb(
          sql`(actor.first_name || ' ' || actor.last_name || ' ' || actor.email)`,
          'ilike',
          pattern,
        ),
        eb(
          sql`(subject.first_name || ' ' || subject.last_name || ' ' || subject.email)`,
          'ilike',
          pattern,
        ),
        eb('act', 'ilike', pattern.replaceAll(' ', '_')),
        eb(sql`left(detail->>'reason', ${searched.characters})`, 'ilike', pattern),
      ]),
    )
    .union(byId('request_id'))
    .union(byId('actor_id'))
    .union(byId('subject_id'));
}
