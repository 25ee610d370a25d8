import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type CostGroup, costGroups } from '@rowmill/contract';
import { sql } from 'kysely';
import { type ApiClient, signInDemo } from '../server/harness/api-client.ts';
import { median } from '../server/harness/figures.ts';
import { startOwnPostgres } from '../server/harness/own-postgres.ts';
import { databaseOf, prepareData, startProduct } from '../server/harness/processes.ts';
import { openDatabase } from '../server/src/db/connect.ts';
import type { Db } from '../server/src/db/transaction.ts';
import { addCostParts } from '../server/src/domains/providers/store.ts';

/**
 * The operator's costs of a week and of a year, with many prompts and batches of that year.
 */
const { values } = parseArgs({
  options: {
    prompts: { type: 'string', default: '1000000' },
    batches: { type: 'string', default: '100000' },
    people: { type: 'string', default: '100' },
    postgres: { type: 'boolean', default: false },
  },
});
const [prompts, batches, people] = [values.prompts, values.batches, values.people].map(Number);
const rounds = 7;
/** Keeps each statement below the product's statement timeout. */
const atOnce = 20_000;

/** Spread over a year, three models and all people. */
const person = sql`'u' || n % ${people}::integer`;
const model = sql`'model-' || n % 3`;
const timeOf = (count: number) => sql`now() - n * interval '365 days' / ${count}::integer`;
const used = sql`100 + n % 400, 0, 50 + n % 100, 0, 1000000 + n % 777`;

await using postgres = values.postgres ? await startOwnPostgres() : null;
const env: Record<string, string> = { CHAT_BASE_URL: 'demo', CHAT_MODEL: 'demo' };
if (postgres) Object.assign(env, { DEMO: 'off', DATABASE_URL: postgres.url });
const directory = await prepareData(env);
try {
  await fill();
  await using server = await startProduct(env, directory, { keeps: true });
  const operator = await signInDemo(server.url, 'operator');
  for (const days of [7, 366]) for (const by of costGroups) await measure(operator, { by, days });
} finally {
  rmSync(directory, { recursive: true, force: true });
}
// The library of the PostgreSQL ends the process with 0 otherwise.
process.exit();

async function measure(operator: ApiClient, request: { by: CostGroup; days: number }) {
  const times = [];
  let answers = 0;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const { rows } = await operator.call('getCosts', request);
    times.push(performance.now() - start);
    answers = rows.reduce((sum, row) => sum + row.answers, 0);
  }
  const figures = [median(times), Math.max(...times)].map((time) => time.toFixed(0));
  const title = `${request.days} days by ${request.by}`.padEnd(20);
  process.stdout.write(
    `${title} ${figures[0]} ms, at most ${figures[1]}; ${answers} answers in the sum\n`,
  );
}

async function fill(): Promise<void> {
  await using database = await openDatabase(databaseOf(postgres?.url, directory));
  const { db } = database;
  await sql`
    insert into users (id, email, first_name, last_name, phone, password_hash, role_id, created_at)
    select 'u' || n, 'u' || n || '@example.test', 'Pat', 'Person ' || n, '', 'none', 1, now()
    from generate_series(0, ${people}::integer - 1) n`.execute(db);
  await sql`
    insert into sheets (id, user_id, actor_id, name, bytes, encoding, delimiter, header, dialect_confirmed, columns, rows, blank_rows,
      candidates, sample, report, metadata, offsets, created_at)
    select 's' || id, id, id, 'sheet.csv', 1, 'utf-8', ',', true, true, '["Text"]', 10, 0, '[]', '[]', '{}', '[]', '[]', now()
    from users where id like 'u%' and email like '%@example.test'`.execute(db);
  await inParts(batches ?? 0, (first, last) => fillBatches(db, first, last));
  // A trigger for each of a million prompts would take minutes.
  await sql`alter table single_prompts disable trigger prompt_cost_added`.execute(db);
  await inParts(prompts ?? 0, (first, last) => fillPrompts(db, first, last));
  await sql`alter table single_prompts enable trigger prompt_cost_added`.execute(db);
  await sql`
    insert into cost_parts
    select (asked_at at time zone 'UTC')::date, model, user_id, count(*), sum(charged), sum(input_tokens), 0, sum(output_tokens), 0, sum(cost), 0
    from single_prompts where model is not null group by 1, 2, 3`.execute(db);
  await addCostParts(db);
  for (const table of ['single_prompts', 'batches', 'cost_sums', 'cost_parts'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}

async function inParts(count: number, work: (first: number, last: number) => Promise<unknown>) {
  for (let first = 0; first < count; first += atOnce)
    await work(first, Math.min(count, first + atOnce) - 1);
}

async function fillBatches(db: Db, first: number, last: number): Promise<void> {
  await sql`
    insert into batches (id, user_id, actor_id, sheet_id, name, state, question, variables, options, model, price, fingerprint,
      rows, answered, charged, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, created_at, started_at, ended_at)
    select 'b' || n, ${person}, ${person}, 's' || ${person}, 'sheet.csv', 'completed', repeat('Describe {{Text}}. ', 12), '{}', '{"outputs": []}',
      ${model}, 1, 'f' || n, 10, 10, 10, ${used}, ${timeOf(batches ?? 0)}, ${timeOf(batches ?? 0)}, now()
    from generate_series(${first}::integer, ${last}::integer) n`.execute(db);
}

async function fillPrompts(db: Db, first: number, last: number): Promise<void> {
  await sql`
    insert into single_prompts (id, user_id, actor_id, template, model, rows, state, charged, answer,
      input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, asked_at)
    select 'p' || lpad(n::text, 9, '0'), ${person}, ${person}, repeat('What is it? ', 20) || n, ${model}, 1, 'answered', 1, repeat('It is this. ', 10),
      ${used}, ${timeOf(prompts ?? 0)}
    from generate_series(${first}::integer, ${last}::integer) n`.execute(db);
}
