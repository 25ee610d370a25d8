import type { ClientFilter, ClientOrder } from '@rowmill/contract';
import { type QueryCreator, sql } from 'kysely';
import { currentPlanName } from '../../db/current-plan.ts';
import {
  boundOfSearch,
  fromPage,
  named,
  pageFrom,
  type SearchedPage,
  totalFrom,
  withTotal,
} from '../../db/lists.ts';
import type { Schema } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';

interface Listing extends SearchedPage {
  adminId: string;
  now: Date;
  monthStart: Date;
  filter?: ClientFilter;
  sort: ClientOrder;
}

const balance = sql`coalesce((select available from credit_accounts where user_id = users.id), 0)`;
const hasAccepted = sql<boolean>`password_hash is not null`;

/** What a list is sorted by, before the newest. */
const keys = {
  newest: sql`null`,
  name: sql`lower(first_name || ' ' || last_name)`,
  balance,
  last_seen: sql`- extract(epoch from last_seen_at)`,
} as const satisfies Record<ClientOrder, unknown>;

const orderOf = (sort: ClientOrder, of = '') =>
  sql.raw(`${sort === 'newest' ? '' : `${of}key nulls last, `}${of}created_at desc, ${of}id desc`);

const filters = {
  low: sql<boolean>`${hasAccepted}
    and ${balance} < (select low_balance_at from client_limits where user_id = users.id)`,
  running: sql<boolean>`exists (select from batches where user_id = users.id and state = 'running')`,
  invited: sql<boolean>`not ${hasAccepted}`,
} as const satisfies Record<ClientFilter, unknown>;

/** A page of an admin's clients. */
export async function listClients(db: Db, listing: Listing) {
  const page = await withTotal(listing, (page) => readClients(db, page));
  const { search } = listing;
  return { ...page, searched: search && (await boundOfSearch(clientsOf(db, listing))) };
}

/** Only a page's rows get sums. */
function readClients(db: Db, listing: Listing) {
  const { now, monthStart, start, limit, sort } = listing;
  const page = { start, limit, order: orderOf(sort) };
  return db
    .with('found', (within) => fromPage(matching(within, listing), page))
    .selectFrom('users')
    .innerJoin('found', 'found.id', 'users.id')
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
      'debt',
    ])
    .select(['monthly_limit', 'low_balance_at'])
    .select((eb) => [
      hasAccepted.as('accepted'),
      totalFrom({ start }).as('total'),
      currentPlanName('users.id', now).as('plan'),
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
    .where('users.id', '=', pageFrom(page))
    .orderBy(orderOf(sort, 'found.'))
    .execute();
}

function clientsOf(db: QueryCreator<Schema>, { adminId, filter, sort }: Listing) {
  const clients = db
    .selectFrom('users')
    .select(['id', 'created_at', keys[sort].as('key')])
    .where('admin_id', '=', adminId)
    .where('deleted_at', 'is', null);
  return filter ? clients.where(filters[filter]) : clients;
}

function matching(db: QueryCreator<Schema>, listing: Listing) {
  const clients = clientsOf(db, listing);
  const { search } = listing;
  if (search === '') return clients;
  return named(clients, search)
    .union(clients.where('id', '=', search))
    .union(clients.where('email', '=', search));
}
