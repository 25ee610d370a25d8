import { type QueryCreator, sql } from 'kysely';
import { currentFirst, mayBeCurrent } from '../../db/current-plan.ts';
import { boundOfSearch, fromPage, named, pageFrom, totalFrom, withTotal } from '../../db/lists.ts';
import type { Schema } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';

interface Listing {
  adminId: string;
  now: Date;
  monthStart: Date;
  start: number;
  limit: number;
  search: string;
}

/** The clients of an admin, newest first. */
export async function listClients(db: Db, listing: Listing) {
  const page = await withTotal(listing, (page) => readClients(db, page));
  const { search, adminId } = listing;
  return { ...page, searched: search && (await boundOfSearch(clientsOf(db, adminId))) };
}

/** Only a page's rows get sums. */
function readClients(db: Db, { adminId, now, monthStart, start, limit, search }: Listing) {
  return db
    .with('found', (within) => fromPage(matching(within, { adminId, search }), { start, limit }))
    .selectFrom('users')
    .leftJoin('credit_accounts', 'credit_accounts.user_id', 'users.id')
    .leftJoin('client_limits', 'client_limits.user_id', 'users.id')
    .select([
      'users.id',
      'first_name',
      'last_name',
      'email',
      'phone',
      'email_verified_at',
      'suspended_at',
      'last_seen_at',
      'available',
      'reserved',
    ])
    .select(['monthly_limit', 'low_balance_at'])
    .select((eb) => [
      sql<boolean>`password_hash is not null`.as('accepted'),
      totalFrom({ start }).as('total'),
      eb
        .selectFrom('user_plans')
        .select(sql<string>`terms ->> 'name'`.as('name'))
        .whereRef('user_plans.user_id', '=', 'users.id')
        .where(mayBeCurrent(now))
        .orderBy(currentFirst)
        .limit(1)
        .as('plan'),
      eb
        .selectFrom('batches')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('batches.user_id', '=', 'users.id')
        .where('state', '=', 'running')
        .as('batches_running'),
      eb
        .selectFrom('credit_entries')
        .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('sum'))
        .whereRef('credit_entries.user_id', '=', 'users.id')
        .where('to_bucket', '=', 'spent')
        .where('at', '>=', monthStart)
        .as('spent_this_month'),
    ])
    .where('users.id', '=', pageFrom({ limit }))
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id', 'desc')
    .execute();
}

const clientsOf = (db: QueryCreator<Schema>, adminId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'created_at'])
    .where('admin_id', '=', adminId)
    .where('deleted_at', 'is', null);

function matching(
  db: QueryCreator<Schema>,
  { adminId, search }: Pick<Listing, 'adminId' | 'search'>,
) {
  const clients = clientsOf(db, adminId);
  if (search === '') return clients;
  return named(clients, search)
    .union(clients.where('id', '=', search))
    .union(clients.where('email', '=', search));
}
