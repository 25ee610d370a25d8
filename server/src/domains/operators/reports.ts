import type { AuditRecord } from '@rowmill/contract';
import type { Handler } from '../../core/handlers.ts';
import { findBrokenInvariants, invariantClaims } from '../../db/invariants.ts';
import { day } from '../../lib/clock.ts';
import { ServiceUnavailable } from '../../lib/unavailable.ts';
import { describeAct } from '../../texts/audit.ts';
import { listAuditEntries } from '../audit/store.ts';
import type { FileStore } from '../files/port.ts';
import {
  countRecentRows,
  countUnderWay,
  countWaiting,
  isWorkerMissing,
  listFailedOver,
  listOpenDisputes,
  listThrottled,
  sumReceived,
} from './store/overview.ts';

/** How many records that break a ledger check are listed. */
const listedRecords = 20;

/** Runs the ledger checks now. It repairs nothing. */
export const checkInvariants: Handler<'getInvariants'> = async (ctx) => {
  const broken = new Map(
    (await findBrokenInvariants(ctx.db)).map(({ invariant, ids }) => [invariant, ids]),
  );
  const invariants = invariantClaims.map((claim) => {
    const ids = broken.get(claim) ?? [];
    return { claim, broken_by: ids.slice(0, listedRecords), broken: ids.length };
  });
  return { invariants, checked_at: ctx.clock.now().toISOString() };
};

export const showAuditLog: Handler<'getAuditLog'> = async (ctx, _, request) => {
  const { rows, total, searched } = await listAuditEntries(ctx.db, request);
  const entries = rows.map(
    (row): AuditRecord => ({
      id: row.id,
      at: row.at.toISOString(),
      act: row.act,
      what: describeAct(row.act, { ...row.detail, newAdminName: row.new_admin_name }),
      actor: { id: row.actor_id, name: row.actor_name, email: row.actor_email },
      subject: { id: row.subject_id, name: row.subject_name, email: row.subject_email },
      detail: row.detail,
      request_id: row.request_id,
    }),
  );
  return { entries, total, ...(searched && { searched }) };
};

/** Each count is read from an index of just those records, which stays quick. */
export const showOverview: Handler<'getOverview'> = async ({ db, clock, config, files }) => {
  const now = clock.now();
  const since = new Date(now.getTime() - day);
  const throttled = await listThrottled(db, now);
  return {
    batches: await countUnderWay(db),
    throttled: throttled.map(({ model, until }) => ({ model, until: until.toISOString() })),
    failed_over: await listFailedOver(db, now),
    ...(await countWaiting(db, since)),
    disputed: await listOpenDisputes(db),
    emails_wait: !config.mail.smtpUrl && !config.demo,
    files_problem: await findProblem(files),
    worker_missing: await isWorkerMissing(db),
    since: since.toISOString(),
    rows: await countRecentRows(db, since),
    received: await sumReceived(db, since),
  };
};

async function findProblem(files: FileStore): Promise<string | null> {
  try {
    await files.check();
    return null;
  } catch (error) {
    if (error instanceof ServiceUnavailable) return error.message;
    throw error;
  }
}
