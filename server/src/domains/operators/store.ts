import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { containing } from '../../lib/search.ts';

interface Listing {
  start: number;
  limit: number;
  search: string;
  role_id?: number | undefined;
}

const columns = ['id', 'first_name', 'last_name', 'email', 'role_id', 'admin_id'] as const;
const instants = ['email_verified_at', 'suspended_at', 'last_seen_at'] as const;

/** Everyone who is not deleted, newest first, each row with the total count. */
export async function searchPeople(db: Db, { start, limit, search, role_id }: Listing) {
  const pattern = containing(search);
  return db
    .selectFrom('users as person')
    .leftJoin('users as admin', 'admin.id', 'person.admin_id')
    .leftJoin('credit_accounts', 'credit_accounts.user_id', 'person.id')
    .select(columns.map((column) => `person.${column}` as const))
    .select(instants.map((column) => `person.${column}` as const))
    .select([
      'available',
      sql<string | null>`admin.first_name || ' ' || admin.last_name`.as('admin_name'),
    ])
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('person.deleted_at', 'is', null)
    .$if(role_id !== undefined, (query) =>
      query.where(sql<number>`person.role_id`, '=', role_id ?? 0),
    )
    .$if(search !== '', (query) =>
      query.where((eb) =>
        eb.or([
          eb('person.id', '=', search),
          eb('person.admin_id', '=', search),
          eb(
            sql`(person.first_name || ' ' || person.last_name || ' ' || person.email)`,
            'ilike',
            pattern,
          ),
        ]),
      ),
    )
    .orderBy('person.created_at', 'desc')
    .orderBy('person.id', 'desc')
    .offset(start)
    .limit(limit)
    .execute();
}
