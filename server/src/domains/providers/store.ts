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

/** Changes of providers and models come one after the other, so that each sees the names and the number of the others. */
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

/** Of all prices, and so of costs. */
export async function saleCurrency(db: Db): Promise<string> {
  return (await db.selectFrom('tax').select('currency').executeTakeFirstOrThrow()).currency;
}

interface CostSums {
  key: string;
  label: string;
  answers: number;
  submissions: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  cost: number;
  is_known: boolean;
}

const keys: Record<CostGroup, string> = { day: 'day', model: 'model', client: 'user_id' };
const maximumRows = 500;

/** A batch counts on the day of its start. A single prompt names the model that answered it. */
export async function listCosts(
  db: Db,
  { by, since }: { by: CostGroup; since: Date },
): Promise<CostSums[]> {
  const key = sql.raw(keys[by]);
  const { rows } = await sql<CostSums>`
    with used as (
      select user_id, model, to_char(coalesce(started_at, created_at) at time zone 'UTC', 'YYYY-MM-DD') as day,
        answered as answers, charged as submissions,
        input_tokens, cached_tokens, output_tokens, reasoning_tokens
      from batches where coalesce(started_at, created_at) >= ${since}
      union all
      select user_id, split_part(answered_by, ' at ', 1), to_char(asked_at at time zone 'UTC', 'YYYY-MM-DD'),
        1, charged, coalesce(input_tokens, 0), coalesce(cached_tokens, 0), coalesce(output_tokens, 0), coalesce(reasoning_tokens, 0)
      from single_prompts where asked_at >= ${since} and answered_by is not null
    ), prices as (
      select name, input_cost, coalesce(cached_cost, input_cost) as cached_cost, output_cost from models
      union select min(asked_as), min(input_cost), min(coalesce(cached_cost, input_cost)), min(output_cost) from models
        where asked_as not in (select name from models) group by asked_as having count(*) = 1
    ), sums as (
      select ${key} as key, sum(answers)::bigint as answers, sum(submissions)::bigint as submissions,
        sum(input_tokens)::bigint as input_tokens, sum(cached_tokens)::bigint as cached_tokens,
        sum(output_tokens)::bigint as output_tokens, sum(reasoning_tokens)::bigint as reasoning_tokens,
        coalesce(sum((input_tokens - cached_tokens)::float8 * input_cost + cached_tokens::float8 * cached_cost
          + output_tokens::float8 * output_cost), 0) as cost,
        bool_and(input_tokens + output_tokens = 0 or (input_cost is not null and output_cost is not null)) as is_known
      from used left join prices on prices.name = used.model
      group by 1
    )
    select sums.*, coalesce(users.first_name || ' ' || users.last_name, models.label, key) as label
    from sums
      left join users on ${by} = 'client' and users.id = key
      left join models on ${by} = 'model' and models.name = key
    where answers > 0
    order by case when ${by} = 'day' then key end desc, cost desc, key
    limit ${maximumRows}`.execute(db);
  return rows;
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
