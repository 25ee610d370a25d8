import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { afterCommit } from '../db/transaction.ts';

/** Business events: one log line and one count each, without secrets or people's texts. */
export type BusinessEvent =
  | 'registered'
  | 'signed_in'
  | 'sign_in_refused'
  | 'sign_ins_near_limit'
  | 'signed_out'
  | 'session_revoked'
  | 'email_verified'
  | 'password_reset'
  | 'password_changed'
  | 'account_deleted'
  | 'client_invited'
  | 'client_password_reset'
  | 'invitation_withdrawn'
  | 'client_moved'
  | 'client_limits_set'
  | 'role_changed'
  | 'suspended'
  | 'unsuspended'
  | 'catalogue_changed'
  | 'providers_changed'
  | 'email_sent'
  | 'email_refused'
  | 'access_refused'
  | 'rate_limited'
  | 'credits_moved'
  | 'ledger_check_failed'
  | 'account_frozen'
  | 'account_unfrozen'
  | 'plan_taken'
  | 'order_made'
  | 'order_paid'
  | 'order_reversed'
  | 'order_restored'
  | 'payment_failed'
  | 'payment_review'
  | 'payment_accepted'
  | 'payment_refused'
  | 'payment_given_back'
  | 'refund_refused'
  | 'event_received'
  | 'event_refused'
  | 'sheet_uploaded'
  | 'question_asked'
  | 'batch_started'
  | 'batch_played'
  | 'batch_paused'
  | 'batch_stopped'
  | 'batch_completed'
  | 'batch_deleted'
  | 'results_stored'
  | 'duplicate_results'
  | 'slice_leased'
  | 'rows_dropped';

export type EventCounter = Counter<'event'>;

export function createEventCounter(registry: Registry): EventCounter {
  return new Counter({
    name: 'rowmill_events_total',
    help: 'Business events by name',
    labelNames: ['event'],
    registers: [registry],
  });
}

interface EventContext {
  log: Logger;
  events: EventCounter;
}
type EventDetail = Record<string, string | number | boolean | null>;

/** Logs and counts an event when the open transaction commits, never after a rollback. */
export function record(ctx: EventContext, event: BusinessEvent, detail: EventDetail = {}): void {
  afterCommit(() => recordNow(ctx, event, detail));
}

/** For refusals, which must be seen although they roll back the transaction they happen in. */
export function recordNow(ctx: EventContext, event: BusinessEvent, detail: EventDetail = {}): void {
  ctx.log.info({ event, ...detail });
  ctx.events.inc({ event });
}
