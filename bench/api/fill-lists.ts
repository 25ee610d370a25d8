import { sql } from 'kysely';
import type { Db } from '../../server/src/db/transaction.ts';
import { mergeCounts } from '../../server/src/domains/batches/store/batch-counts.ts';
import { hashSecret } from '../../server/src/lib/ids.ts';

/** Keeps each statement below the product's statement timeout. */
const atOnce = 10_000;
/** People with a session. */
const signedIn = 250;

/** Of a client of the admin. */
export const sessionToken = (person: number): string => `token-of-person-${person}`;

/** Batches of the demo client, clients of the demo admin, and as many audit entries as batches. */
export async function fillLists(
  db: Db,
  { batches, people }: { batches: number; people: number },
): Promise<void> {
  const statements = [
    `insert into users (id, email, email_verified_at, first_name, last_name, password_hash, role_id, admin_id, created_at)
     select 'u' || n, 'person' || n || '@example.test', now(), 'Person', 'Person ' || n, 'none', 1,
       (select id from users where email = 'admin@demo.test'), now() - n * interval '1 minute'
     from generate_series(0, ${people - 1}) n`,
    `insert into credit_accounts (user_id) select id from users where id like 'u%' and email like 'person%'`,
    `insert into user_plans (id, user_id, plan_id, started_at, terms)
     select 'p' || id, id, 'free', now(), '{}' from users where email like 'person%'`,
    `insert into sheets (id, user_id, actor_id, name, bytes, encoding, delimiter, header, dialect_confirmed, columns, rows,
       blank_rows, candidates, sample, report, metadata, offsets, created_at)
     select 's' || n, id, id, 'sheet.csv', 1, 'utf-8', ',', true, true, '["Text"]', 10, 0, '[]', '[]', '{}', '[]', '[]', now()
     from users, generate_series(0, 99) n where email = 'client@demo.test'`,
    ...parts(batches).map(
      ([
        first,
        last,
      ]) => `insert into batches (id, user_id, actor_id, sheet_id, name, state, question, variables, options,
         model, price, fingerprint, rows, failed, created_at, ended_at)
       select 'b' || n, id, id, 's' || n % 100, 'sheet ' || n || '.csv', case when n % 50 = 0 then 'stopped' else 'completed' end,
         repeat('Describe {{Text}} in some words. ', 12), '{}', '{"outputs": []}', 'demo', 1, 'f' || n, 10, n % 10,
         now() - n * interval '1 minute', now()
       from users, generate_series(${first}, ${last}) n where email = 'client@demo.test'`,
    ),
    ...parts(batches).map(
      ([
        first,
        last,
      ]) => `insert into audit_entries (id, at, actor_id, subject_id, act, detail, request_id)
       select 'a' || n, now() - n * interval '1 minute', 'u' || n % ${people}, 'u' || (n * 7) % ${people}, 'client_limits_set',
         '{"monthly_limit": 1}', 'r' || n from generate_series(${first}, ${last}) n`,
    ),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  const client = db.selectFrom('users').select('id').where('email', '=', 'client@demo.test');
  // As creating a batch does.
  await mergeCounts(db, (await client.executeTakeFirstOrThrow()).id);
  const now = new Date();
  const sessions = Array.from({ length: Math.min(people, signedIn) }, (_, person) => ({
    id: `session-${person}`,
    user_id: `u${person}`,
    token_hash: hashSecret(sessionToken(person)),
    app_token_hash: hashSecret(`app-${person}`),
    device: 'Firefox',
    created_at: now,
    last_seen_at: now,
  }));
  await db.insertInto('sessions').values(sessions).execute();
  // As autovacuum does in time.
  for (const table of ['users', 'batches', 'batch_counts', 'audit_entries', 'audit_counts'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}

function parts(count: number): [number, number][] {
  return Array.from({ length: Math.ceil(count / atOnce) }, (_, part) => [
    part * atOnce,
    Math.min(count, (part + 1) * atOnce) - 1,
  ]);
}
