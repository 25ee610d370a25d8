import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { after } from '../../../lib/clock.ts';
import { failedOverLasts } from '../../../lib/stored-bounds.ts';

const maximumListed = 20;

/** A lane begins with the id of a provider that an operator added, which tells people nothing. */
export async function listThrottled(db: Db, now: Date) {
  return db
    .selectFrom('cooldowns')
    .leftJoin('providers', (join) =>
      join.on(sql`split_part(cooldowns.model, ' ', 1)`, '=', sql.ref('providers.id')),
    )
    .select([
      'until',
      sql<string>`coalesce(
        providers.name || substr(cooldowns.model, length(providers.id) + 1), cooldowns.model
      )`.as('model'),
    ])
    .where('until', '>', now)
    .orderBy('model')
    .limit(maximumListed)
    .execute();
}

/** By their labels. */
export async function listFailedOver(db: Db, now: Date) {
  return db
    .selectFrom('models')
    .innerJoin('models as fallbacks', 'fallbacks.name', 'models.fallback')
    .select(['models.label as model', 'fallbacks.label as fallback'])
    .where('models.failed_over_at', '>', after(now, -failedOverLasts))
    .orderBy('models.label')
    .limit(maximumListed)
    .execute();
}

/** Workers look after the queue every five seconds. */
export async function isWorkerMissing(db: Db): Promise<boolean> {
  const { rows } = await sql<{ missing: boolean }>`
    select max(coalesce(monitor_claim_on, created_on)) < jobs.job_now() - interval '1 minute' as missing
    from jobs.queue`.execute(db);
  return rows[0]?.missing ?? true;
}

export async function countUnderWay(db: Db) {
  return db
    .selectFrom('batches')
    .select([
      sql<number>`count(*) filter (where state = 'running')`.as('running'),
      sql<number>`count(*) filter (where pause_reason in ('provider_down', 'provider_refused'))`.as(
        'stuck',
      ),
    ])
    .where('state', 'in', ['running', 'paused'])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
}

export async function countWaiting(db: Db, since: Date) {
  return db
    .selectNoFrom([
      sql<number>`(select count(*) from payments where payment_status = 'review')`.as('reviews'),
      sql<number>`(
        select count(*) from reversals where kind = 'dispute' and state = 'open')`.as('disputes'),
      sql<number>`(
        select count(*) from credit_accounts where frozen_at is not null)`.as('frozen_accounts'),
      sql<number>`(
        select count(*) from users where created_at >= ${since} and deleted_at is null)`.as(
        'new_people',
      ),
    ])
    .executeTakeFirstOrThrow();
}

/** Disputes that are not decided, and who paid. */
export async function listOpenDisputes(db: Db) {
  return db
    .selectFrom('reversals')
    .innerJoin('payments', 'payments.id', 'reversals.payment_id')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .select([
      'reversals.provider_ref as ref',
      'users.id as user_id',
      sql<string>`users.first_name || ' ' || users.last_name`.as('name'),
      'reversals.amount_minor',
      'orders.currency',
    ])
    .where('reversals.kind', '=', 'dispute')
    .where('reversals.state', '=', 'open')
    .orderBy('payments.created_at')
    .limit(maximumListed)
    .execute();
}

export async function countRecentRows(db: Db, since: Date) {
  return db
    .selectFrom('batches')
    .select([
      sql<number>`coalesce(sum(answered), 0)::int8`.as('answered'),
      sql<number>`coalesce(sum(failed), 0)::int8`.as('failed'),
    ])
    .where('started_at', '>=', since)
    .executeTakeFirstOrThrow();
}

export async function sumReceived(db: Db, since: Date) {
  return db
    .selectFrom('orders')
    .select(['currency', sql<number>`sum(total_minor - reversed_minor)::int8`.as('amount_minor')])
    .where('paid_at', '>=', since)
    .groupBy('currency')
    .orderBy('currency')
    .execute();
}
