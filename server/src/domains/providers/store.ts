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
  'flex_cost_percent',
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

/** Changes of providers and models run one by one, so that each sees all names and their number. */
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
  unknown_costs: number;
}

const keys: Record<CostGroup, string> = {
  day: `to_char(at at time zone 'UTC', 'YYYY-MM-DD')`,
  model: 'model',
  client: 'user_id',
};

/** A batch counts on the day of its start. */
const sources = {
  batches: `select id, user_id, model, coalesce(started_at, created_at) as at, answered as answers, charged,
    input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, unknown_costs from batches`,
  // A failed call may have used tokens too. What stands for a batch has no model.
  prompts: `select id, user_id, model, asked_at as at, (state = 'answered')::integer as answers, charged,
    input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost,
    (cost is null and state <> 'asking')::integer as unknown_costs from single_prompts`,
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
    ), sums as (
      select ${sql.raw(keys[by])} as key, sum(answers) as answers, sum(charged) as submissions,
        coalesce(sum(input_tokens), 0) as input_tokens, coalesce(sum(cached_tokens), 0) as cached_tokens,
        coalesce(sum(output_tokens), 0) as output_tokens, coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
        coalesce(sum(cost), 0)::float8 as cost, sum(unknown_costs) as unknown_costs
      from part where model is not null and at >= ${since}
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

/** In minor units, without tax and what was refunded or disputed. Null: none was sold. */
export async function revenuePerSubmission(
  db: Db,
  { currency, since }: { currency: string; since: Date },
): Promise<number | null> {
  const { minor, sold } = await db
    .selectFrom('orders')
    .select([
      sql<number | null>`sum((total_minor - tax_minor) * (1 - coalesce(
        taken_back::float8 / nullif(granted, 0), refunded_minor::float8 / nullif(total_minor, 0), 0)))`.as(
        'minor',
      ),
      sql<number | null>`sum(granted - taken_back)::float8`.as('sold'),
    ])
    .where('currency', '=', currency)
    .where('paid_at', '>=', since)
    .executeTakeFirstOrThrow();
  return sold ? (minor ?? 0) / sold : null;
}
