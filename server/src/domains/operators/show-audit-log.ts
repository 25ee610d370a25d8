import type { AuditRecord, getAuditLog, ParsedRequestOf } from '@rowmill/contract';
import type { Actor } from '../../authority.ts';
import type { Context } from '../../context.ts';
import { wordsFor } from '../audit/rules.ts';
import { searchAuditEntries } from '../audit/store.ts';

export async function showAuditLog(
  ctx: Context,
  _: Actor,
  request: ParsedRequestOf<typeof getAuditLog>,
) {
  const rows = await searchAuditEntries(ctx.db, request);
  const entries = rows.map(
    (row): AuditRecord => ({
      id: row.id,
      at: row.at.toISOString(),
      act: row.act,
      what: wordsFor(row.act, row.detail),
      actor: { id: row.actor_id, name: row.actor_name, email: row.actor_email },
      subject: { id: row.subject_id, name: row.subject_name, email: row.subject_email },
      detail: row.detail,
      request_id: row.request_id,
    }),
  );
  return { entries, total: rows[0]?.total ?? 0 };
}
