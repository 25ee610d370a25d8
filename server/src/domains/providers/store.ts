import type { CostGroup } from '@rowmill/contract';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { ModelTable, ProviderTable } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';

const providerColumns = [
  'id',
  'name',
  'kind',
  'address',
  'sealed_key',
  'concurrency',
  'requests_per_minute',
  'tokens_per_minute',
  'is_enabled',
  'version',
] as const;
const modelColumns = [
  'name',
  'provider_id',
  'asked_as',
  'label',
  'price',
  'price_tokens',
  'answer_tokens',
  'input_cost',
  'cached_cost',
  'output_cost',
  'options',
  'offered_to',
  'has_flex',
  'fallback',
  'position',
  'version',
] as const;

export async function listProviders(db: Db) {
  return db.selectFrom('providers').select(providerColumns).orderBy('id').execute();
}
export type ProviderRow = Awaited<ReturnType<typeof listProviders>>[number];

export async function listModelRows(db: Db) {
  return db.selectFrom('models').select(modelColumns).orderBy('position').orderBy('name').execute();
}
export type ModelRow = Awaited<ReturnType<typeof listModelRows>>[number];

/** Changes of providers and models run one by one, so that each sees names and number. */
export async function lockProviders(db: Db): Promise<void> {
  await db.selectFrom('tax').select('id').forUpdate().execute();
}

export async function insertProvider(db: Db, provider: Insertable<ProviderTable>): Promise<void> {
  await db.insertInto('providers').values(provider).execute();
}

export async function updateProvider(
  db: Db,
  id: string,
  change: Updateable<ProviderTable>,
): Promise<void> {
  await db.updateTable('providers').set(change).where('id', '=', id).execute();
}

export async function insertModel(db: Db, model: Insertable<ModelTable>): Promise<void> {
  await db.insertInto('models').values(model).execute();
}

export async function updateModel(
  db: Db,
  name: string,
  change: Updateable<ModelTable>,
): Promise<void> {
  await db.updateTable('models').set(change).where('name', '=', name).execute();
}

/** The currency of all prices, and so of costs. */
export async function saleCurrency(db: Db): Promise<string> {
  return (await db.selectFrom('tax').select('currency').executeTakeFirstOrThrow()).currency;
}

export interface CostSums {
  key: string;
  answers: number;
  submissions: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  cost: number;
  is_known: boolean;
}

const keys: Record<CostGroup, string> = {
  day: `to_char(at at time zone 'UTC', 'YYYY-MM-DD')`,
  model: 'model',
  client: 'user_id',
};

/** A batch counts on the day of its start. A single prompt names the model that answered it. */
const sources = {
  batches: `select id, user_id, model, coalesce(started_at, created_at) as at, true as counts, answered as answers, charged,
    input_tokens, cached_tokens, output_tokens, reasoning_tokens from batches`,
  prompts: `select id, user_id, split_part(answered_by, ' at ', 1) as model, asked_at as at, answered_by is not null as counts,
    1 as answers, charged, coalesce(input_tokens, 0) as input_tokens, coalesce(cached_tokens, 0) as cached_tokens,
    coalesce(output_tokens, 0) as output_tokens, coalesce(reasoning_tokens, 0) as reasoning_tokens from single_prompts`,
};
export type CostSource = keyof typeof sources;

interface CostPart {
  source: CostSource;
  by: CostGroup;
  since: Date;
  /** The id before the first one. */
  from: string;
  count: number;
}

/** Sums of some batches or prompts, in the order of ids. `last` is null at the end. */
export async function sumCosts(db: Db, { source, by, since, from, count }: CostPart) {
  const { rows } = await sql<{ last: string | null; sums: CostSums[] }>`
    with part as materialized (
      ${sql.raw(sources[source])} where id > ${from} order by id limit ${count}
    ), prices as (
      select name, input_cost, coalesce(cached_cost, input_cost) as cached_cost, output_cost from models
      union select min(asked_as), min(input_cost), min(coalesce(cached_cost, input_cost)), min(output_cost) from models
        where asked_as not in (select name from models) group by asked_as having count(*) = 1
    ), sums as (
      select ${sql.raw(keys[by])} as key, sum(answers) as answers, sum(charged) as submissions,
        sum(input_tokens) as input_tokens, sum(cached_tokens) as cached_tokens,
        sum(output_tokens) as output_tokens, sum(reasoning_tokens) as reasoning_tokens,
        coalesce(sum((input_tokens - cached_tokens)::float8 * input_cost + cached_tokens::float8 * cached_cost
          + output_tokens::float8 * output_cost), 0) as cost,
        bool_and(input_tokens + output_tokens = 0 or (input_cost is not null and output_cost is not null)) as is_known
      from part left join prices on prices.name = part.model
      where counts and at >= ${since}
      group by 1
    )
    select (select max(id) from part) as last, (select coalesce(json_agg(sums), '[]') from sums) as sums`.execute(
    db,
  );
  return rows[0] ?? { last: null, sums: [] };
}

/** Names of clients and labels of models; a day is its own. */
export async function labelsOfCosts(
  db: Db,
  by: CostGroup,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (by === 'day' || keys.length === 0) return new Map();
  const named =
    by === 'client'
      ? sql`select id as key, first_name || ' ' || last_name as label from users where id`
      : sql`select name as key, label from models where name`;
  const { rows } = await sql<{ key: string; label: string }>`
    ${named} in (${sql.join(keys)})`.execute(db);
  return new Map(rows.map(({ key, label }) => [key, label]));
}

/** In hundredths, without tax and refunds. Null: none was sold. */
export async function revenuePerSubmission(
  db: Db,
  { currency, since }: { currency: string; since: Date },
): Promise<number | null> {
  const { minor, sold } = await db
    .selectFrom('orders')
    .select([
      sql<number | null>`sum(total_minor - tax_minor - refunded_minor)::float8`.as('minor'),
      sql<number | null>`sum(granted - taken_back)::float8`.as('sold'),
    ])
    .where('currency', '=', currency)
    .where('paid_at', '>=', since)
    .executeTakeFirstOrThrow();
  return sold ? Math.max(0, minor ?? 0) / sold : null;
}
