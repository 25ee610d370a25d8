import { type QueryCreator, sql } from 'kysely';
import { currentPlanName } from '../../../db/current-plan.ts';
import {
  boundOfSearch,
  fromPage,
  named,
  pageFrom,
  type SearchedPage,
  totalFrom,
  withTotal,
} from '../../../db/lists.ts';
import type { Schema } from '../../../db/schema.ts';
import type { Db } from '../../../db/transaction.ts';

interface Filter {
  role_id?: number;
  person_id?: string;
}

interface Listing extends Filter, SearchedPage {
  now: Date;
}

const columns = ['id', 'first_name', 'last_name', 'email', 'role_id', 'admin_id'] as const;
const instants = ['email_verified_at', 'suspended_at', 'last_seen_at'] as const;

/** People, newest first. */
export async function searchPeople(db: Db, listing: Listing) {
  const page = await withTotal(listing, (page) => readPeople(db, page));
  const { search } = listing;
  return { ...page, searched: search && (await boundOfSearch(peopleOf(db, listing))) };
}

/** Ids choose the page: only its rows are read. */
function readPeople(db: Db, { now, start, limit, search, ...filter }: Listing) {
  return db
    .with('found', (within) => fromPage(matching(within, search, filter), { start, limit }))
    .selectFrom('users as person')
    .leftJoin('users as admin', 'admin.id', 'person.admin_id')
    .leftJoin('credit_accounts', 'credit_accounts.user_id', 'person.id')
    .select(columns.map((column) => `person.${column}` as const))
    .select(instants.map((column) => `person.${column}` as const))
    .select([
      currentPlanName('person.id', now).as('plan'),
      'available',
      'debt',
      sql<string | null>`admin.first_name || ' ' || admin.last_name`.as('admin_name'),
    ])
    .select(totalFrom({ start }).as('total'))
    .where('person.id', '=', pageFrom({ limit }))
    .orderBy('person.created_at', 'desc')
    .orderBy('person.id', 'desc')
    .execute();
}

const peopleOf = (db: QueryCreator<Schema>, { role_id, person_id }: Filter) =>
  db
    .selectFrom('users')
    .select(['id', 'created_at'])
    .where('deleted_at', 'is', null)
    .$if(role_id !== undefined, (query) => query.where(sql<number>`role_id`, '=', role_id ?? 0))
    .$if(person_id !== undefined, (query) => query.where('id', '=', person_id ?? ''));

function matching(db: QueryCreator<Schema>, search: string, filter: Filter) {
  const people = peopleOf(db, filter);
  if (search === '') return people;
  return named(people, search)
    .union(people.where('id', '=', search))
    .union(people.where('admin_id', '=', search))
    .union(people.where('email', '=', search));
}
