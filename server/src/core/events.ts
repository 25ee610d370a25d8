import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';

/** What happens in the business, by name. Each is one log line and one count; none carries a secret or a customer's text. */
export type BusinessEvent =
  | 'registered'
  | 'signed_in'
  | 'sign_in_refused'
  | 'signed_out'
  | 'session_revoked'
  | 'email_verified'
  | 'password_reset'
  | 'password_changed'
  | 'account_deleted'
  | 'client_invited'
  | 'client_password_reset'
  | 'client_moved'
  | 'client_limits_set'
  | 'role_changed'
  | 'suspended'
  | 'unsuspended'
  | 'catalogue_changed'
  | 'email_sent'
  | 'access_refused'
  | 'rate_limited'
  | 'credits_moved'
  | 'books_wrong'
  | 'account_frozen'
  | 'account_thawed'
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
  | 'give_back_refused'
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
  | 'rows_settled'
  | 'rows_settled_before'
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

export function record(
  ctx: { log: Logger; events: EventCounter },
  event: BusinessEvent,
  detail: Record<string, string | number | boolean | null> = {},
): void {
  ctx.log.info({ event, ...detail });
  ctx.events.inc({ event });
}
