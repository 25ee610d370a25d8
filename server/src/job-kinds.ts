import * as z from 'zod/mini';
import { batchNews, sendBatchEmail, sendDigest, sendDueEmails } from './domains/batches/emails.ts';
import { clearResults } from './domains/batches/lifecycle/delete.ts';
import {
  resumeEconomy,
  resumeFixed,
  resumeRenewed,
} from './domains/batches/lifecycle/engine-pause.ts';
import { continueRetries } from './domains/batches/lifecycle/retry.ts';
import { returnAbandonedReservations } from './domains/batches/slices/recover.ts';
import { vacuum, vacuumChangedTables } from './domains/batches/store/vacuum.ts';
import {
  sendInvoiceEmail,
  sendPaymentFailedEmail,
  sendPaymentRejectedEmail,
} from './domains/billing/emails.ts';
import { fulfilOrder } from './domains/billing/payments/fulfil-order.ts';
import { deleteOldEvents, processEvent } from './domains/billing/payments/provider-events.ts';
import { reconcileOrders } from './domains/billing/payments/reconcile-orders.ts';
import { refundPayment } from './domains/billing/payments/refund-payment.ts';
import { runLedgerChecks } from './domains/credits/ledger-checks.ts';
import { sendLowBalanceEmail } from './domains/credits/spending.ts';
import { sweepOrphans } from './domains/files/orphans.ts';
import { deleteExpiredSheets } from './domains/files/storage.ts';
import { deleteUnverifiedAccounts } from './domains/identity/accounts/verification.ts';
import { accountEmailKinds, sendAccountEmail } from './domains/identity/emails.ts';
import { liveSessionBounds } from './domains/identity/rules.ts';
import { warnOperators } from './domains/identity/sessions/sign-in-limits.ts';
import { deleteLinksExpiredBefore } from './domains/identity/store/email-links.ts';
import { deleteExpiredSessions } from './domains/identity/store/sessions.ts';
import { remindOfPlanEnds, sendPlanEndEmail } from './domains/plans/reminders.ts';
import { addCostParts } from './domains/providers/store.ts';
import { purgeKeys } from './domains/requests/idempotency-keys.ts';
import { deleteRateLimitsBefore, deleteReceiptsBefore } from './domains/requests/store.ts';
import { defineJob } from './jobs/define-job.ts';
import { after, day } from './lib/clock.ts';
import { expiredLinkRetention } from './lib/stored-bounds.ts';

const newsOfBatch = z.object({ batchId: z.string(), kind: z.enum(batchNews) });

/** Every kind of job: what it runs, with which payload, and when it runs without being enqueued. */
export const jobs = {
  'identity.mail': defineJob({
    isEmail: true,
    payload: z.object({
      kind: z.enum(accountEmailKinds),
      email: z.string(),
      userId: z.optional(z.string()),
      from: z.optional(z.string()),
      reason: z.optional(z.string()),
    }),
    run: sendAccountEmail,
  }),
  'identity.sign-ins-near-limit': defineJob({ payload: z.object({}), run: warnOperators }),
  'identity.forget': defineJob({
    cron: '37 3 * * *',
    run: async (ctx) => {
      const now = ctx.clock.now();
      await deleteExpiredSessions(ctx.db, liveSessionBounds(now));
      await deleteLinksExpiredBefore(ctx.db, after(now, -expiredLinkRetention));
      await deleteUnverifiedAccounts(ctx);
    },
  }),
  'requests.forget': defineJob({
    cron: '17 * * * *',
    run: async (ctx) => {
      const now = ctx.clock.now();
      await deleteRateLimitsBefore(ctx.db, now);
      await deleteReceiptsBefore(ctx.db, after(now, -day));
      await purgeKeys(ctx);
    },
  }),
  'credits.check-books': defineJob({ cron: '7 * * * *', run: runLedgerChecks }),
  'credits.low-balance': defineJob({
    isEmail: true,
    payload: z.object({ userId: z.string(), to: z.enum(['client', 'admin']) }),
    run: sendLowBalanceEmail,
  }),
  'plans.remind': defineJob({ cron: '11 * * * *', run: remindOfPlanEnds }),
  'plans.mail': defineJob({
    isEmail: true,
    payload: z.object({ userId: z.string(), name: z.string(), endsAt: z.string() }),
    run: sendPlanEndEmail,
  }),
  'billing.event': defineJob({
    payload: z.object({ provider: z.string(), eventId: z.string() }),
    run: processEvent,
  }),
  'billing.fulfil': defineJob({
    payload: z.object({ orderId: z.string() }),
    run: async (ctx, { orderId }) => {
      await fulfilOrder(ctx, orderId);
    },
  }),
  'billing.reconcile': defineJob({ cron: '*/5 * * * *', run: reconcileOrders }),
  'billing.forget': defineJob({ cron: '47 3 * * *', run: deleteOldEvents }),
  'billing.mail': defineJob({
    isEmail: true,
    payload: z.object({
      kind: z.enum(['receipt', 'refund', 'dispute', 'stands']),
      orderId: z.string(),
      number: z.string(),
      disputedMinor: z.optional(z.number()),
      hasPlan: z.optional(z.boolean()),
    }),
    run: sendInvoiceEmail,
  }),
  'billing.giveback': defineJob({
    payload: z.object({ paymentId: z.string() }),
    run: (ctx, { paymentId }) => refundPayment(ctx, paymentId),
  }),
  'billing.refused': defineJob({
    isEmail: true,
    payload: z.object({ orderId: z.string() }),
    run: sendPaymentRejectedEmail,
  }),
  'billing.failed': defineJob({
    isEmail: true,
    payload: z.object({ orderId: z.string() }),
    run: sendPaymentFailedEmail,
  }),
  'files.remove': defineJob({
    payload: z.object({ sheetId: z.string() }),
    run: (ctx, { sheetId }) => ctx.files.remove(sheetId),
  }),
  'files.expire': defineJob({ cron: '37 3 * * *', run: deleteExpiredSheets }),
  'files.sweep': defineJob({ cron: '7 4 * * *', run: sweepOrphans }),
  /** The costs are right without it, and take longer. */
  'providers.add-costs': defineJob({ cron: '*/5 * * * *', run: (ctx) => addCostParts(ctx.db) }),
  'batches.mail': defineJob({ isEmail: true, payload: newsOfBatch, run: sendBatchEmail }),
  'batches.digest': defineJob({
    isEmail: true,
    payload: z.object({ userId: z.string(), batches: z.array(newsOfBatch) }),
    run: sendDigest,
  }),
  'batches.due-emails': defineJob({ cron: '* * * * *', run: sendDueEmails }),
  /** Every minute, and when an economy batch of a person has ended. */
  'batches.economy': defineJob({
    payload: z.object({ userId: z.optional(z.string()) }),
    cron: '* * * * *',
    run: resumeEconomy,
  }),
  'batches.resume-renewed': defineJob({ cron: '* * * * *', run: resumeRenewed }),
  'batches.resume-refused': defineJob({
    payload: z.object({ provider: z.optional(z.string()), model: z.optional(z.string()) }),
    run: resumeFixed,
  }),
  'batches.rescue': defineJob({
    cron: '*/5 * * * *',
    run: (ctx) => returnAbandonedReservations(ctx),
  }),
  /** On a schedule too, for a job that failed too often. */
  'batches.continue-retries': defineJob({ cron: '*/5 * * * *', run: continueRetries }),
  'batches.clear': defineJob({
    payload: z.object({ batchId: z.string() }),
    run: (ctx, { batchId }) => clearResults(ctx, batchId),
  }),
  /** Nightly, and after a large batch is deleted. PostgreSQL also does this by itself. */
  'batches.vacuum': defineJob({
    payload: z.object({ tables: z.optional(z.array(z.string())) }),
    cron: '47 3 * * *',
    run: async (ctx, { tables }) => {
      if (ctx.config.database.kind === 'embedded') await vacuum(ctx.db, tables);
    },
  }),
  /** The embedded database has no autovacuum. */
  'batches.vacuum-worn': defineJob({
    cron: '* * * * *',
    run: async (ctx) => {
      if (ctx.config.database.kind === 'embedded') await vacuumChangedTables(ctx.db);
    },
  }),
};
