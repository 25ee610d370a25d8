import type { Db } from '../../db/transaction.ts';

export interface AuditEntry {
  id: string;
  at: Date;
  actorId: string;
  subjectId: string;
  act: string;
  detail: Record<string, unknown>;
  requestId: string;
}

export async function insertAuditEntry(db: Db, { id, at, act, ...entry }: AuditEntry): Promise<void> {
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

export async function listAuditEntriesAbout(db: Db, subjectId: string) {
  return db
    .selectFrom('audit_entries')
    .select(['at', 'actor_id', 'act', 'detail'])
    .where('subject_id', '=', subjectId)
    .orderBy('at', 'desc')
    .limit(1000)
    .execute();
}
