import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { millisecondsOf } from '../server/harness/figures.ts';
import { startOwnPostgres } from '../server/harness/own-postgres.ts';
import { databaseOf } from '../server/harness/processes.ts';
import { openDatabase } from '../server/src/db/connect.ts';
import {
  findBreaches,
  findBrokenInvariants,
  invariantClaims,
} from '../server/src/db/invariants.ts';
import type { Db } from '../server/src/db/transaction.ts';

/** How long all ledger checks of a large database take. `--postgres` starts a PostgreSQL. */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    postgres: { type: 'boolean', default: false },
  },
});
const rowsOfABatch = 1_000;
const people = 200;
const batches = Math.ceil(Number(values.rows) / rowsOfABatch);
/** The engine stores dozens of rows in one transaction, with one ledger entry. */
const rowsOfAnEntry = 20;
/** Keeps each statement below the product's statement timeout. */
const batchesAtOnce = 50;
const rounds = 3;

await using postgres = values.postgres ? await startOwnPostgres() : null;
await using database = await openDatabase(databaseOf(postgres?.url, null));
await fill(database.db);
const { count } = await database.db
  .selectFrom('credit_entries')
  .select((eb) => eb.fn.countAll<number>().as('count'))
  .executeTakeFirstOrThrow();
const total = [];
for (let round = 0; round < rounds; round++)
  total.push(await millisecondsOf(() => findBrokenInvariants(database.db)));
for (const claim of invariantClaims) {
  const milliseconds = await millisecondsOf(() => findBreaches(database.db, claim));
  process.stdout.write(`${(milliseconds / 1_000).toFixed(3)} s  ${claim}\n`);
}
const all = total.map((milliseconds) => (milliseconds / 1_000).toFixed(2)).join(', ');
const broken = await findBrokenInvariants(database.db);
process.stdout.write(
  `${values.postgres ? 'PostgreSQL' : 'embedded'}, ${batches * rowsOfABatch} results, ${count} entries: all in ${all} s, ${broken.length} broken\n`,
);

function resultsFrom(first: number): string {
  return `
    insert into results (batch_id, row, state, answer)
    select 'b' || batch, row, 'answered', 'An answer of a usual length, which is a sentence or two.'
    from generate_series(${first}, ${Math.min(first + batchesAtOnce, batches) - 1}) batch, generate_series(0, ${rowsOfABatch - 1}) row`;
}

/** A consistent database: each batch is answered, charged and completed, each order paid. */
async function fill(db: Db): Promise<void> {
  const statements = [
    `insert into users (id, email, first_name, last_name, phone, password_hash, role_id, created_at)
     select 'u' || n, 'u' || n || '@example.test', 'Pat', 'Person', '', 'none', 1, now() from generate_series(0, ${people - 1}) n`,
    `insert into sheets (id, user_id, actor_id, name, bytes, encoding, delimiter, header, dialect_confirmed, columns, rows, blank_rows,
       candidates, sample, report, metadata, offsets, created_at)
     select 's' || n, 'u' || n, 'u' || n, 'sheet.csv', 1, 'utf-8', ',', true, true, '["Text"]', ${rowsOfABatch}, 0,
       '[]', '[]', '{}', '[]', '[]', now() from generate_series(0, ${people - 1}) n`,
    `insert into batches (id, user_id, actor_id, sheet_id, name, state, question, variables, options, model, price, fingerprint,
       rows, answered, failed, total_reserved, charged, created_at, ended_at)
     select 'b' || n, 'u' || n % ${people}, 'u' || n % ${people}, 's' || n % ${people}, 'sheet.csv', 'completed', '{{Text}}', '{}', '{}',
       'fake', 1, 'f' || n, ${rowsOfABatch}, ${rowsOfABatch}, 0, ${rowsOfABatch}, ${rowsOfABatch}, now(), now()
     from generate_series(0, ${batches - 1}) n`,
    ...Array.from({ length: Math.ceil(batches / batchesAtOnce) }, (_, part) =>
      resultsFrom(part * batchesAtOnce),
    ),
    `insert into credit_accounts (user_id, available, spent)
     select user_id, 0, sum(charged) from batches group by user_id`,
    `insert into orders (id, user_id, actor_id, type, description, submissions, total_minor, tax_minor, tax_name, tax_basis_points,
       currency, payment_method, payment_status, billing_address, granted, created_at, paid_at)
     select 'o' || n, 'u' || n % ${people}, 'u' || n % ${people}, 'credits', 'Submissions', ${rowsOfABatch}, 600, 100, 'VAT', 2000,
       'GBP', 'card', 'paid', '{}', ${rowsOfABatch}, now(), now() from generate_series(0, ${batches - 1}) n`,
    `insert into order_lines (order_id, position, item_id, name, quantity, count, rate_minor)
     select id, 0, 'pack', 'Submissions', 1, submissions, total_minor from orders`,
    `insert into payments (id, order_id, user_id, attempt, provider, provider_ref, payment_status, created_at, paid_at)
     select 'p' || id, id, user_id, 1, 'stripe', 'pi' || id, 'paid', now(), now() from orders`,
    `insert into invoices (series, sequence, number, order_id, issued_at, total_minor, document)
     select 'INV', row_number() over (), 'INV-' || id, id, now(), total_minor, '{}' from orders`,
    `update invoice_numbers set last = ${batches} where series = 'INV'`,
    `insert into credit_entries (id, at, user_id, from_bucket, to_bucket, amount, cause)
     select 'o' || id, now(), user_id, 'external', 'available', granted, 'order:' || id from orders`,
    `insert into credit_entries (id, at, user_id, from_bucket, to_bucket, amount, cause)
     select 'h' || id, now(), user_id, 'available', 'reserved', charged, 'hold:' || id || ':1' from batches`,
    `insert into credit_entries (id, at, user_id, from_bucket, to_bucket, amount, cause)
     select 'e' || id || '-' || n, now(), user_id, 'reserved', 'spent', ${rowsOfAnEntry}, 'settle:' || id || ':' || n
     from batches, generate_series(1, ${rowsOfABatch / rowsOfAnEntry}) n`,
    'analyze',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
