import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { containing } from '../../lib/like-pattern.ts';

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
    .select(sql<number>`count(*) over ()`.as('total'))
    .orderBy('at', 'desc')
    .orderBy('audit_entries.id', 'desc');
}

export async function listActivityOf(
  db: Db,
  { subjectId, withOwnActs, start, limit }: Listing & { subjectId: string; withOwnActs: boolean },
) {
  return selectEntries(db)
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

export async function searchAuditEntries(
  db: Db,
  { search, start, limit }: Listing & { search: string },
) {
  const pattern = containing(search);
  return selectEntries(db)
    .$if(search !== '', (query) =>
      query.where((eb) =>
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
          eb(sql`detail->>'reason'`, 'ilike', pattern),
          eb('request_id', '=', search),
          eb('actor_id', '=', search),
          eb('subject_id', '=', search),
        ]),
      ),
    )
    .offset(start)
    .limit(limit)
    .execute();
}
