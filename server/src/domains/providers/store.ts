import type { CostGroup } from '@rowmill/contract';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { CostSumTable, ModelTable, ProviderTable } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { after } from '../../lib/clock.ts';
import { failedOverLasts } from '../../lib/stored-bounds.ts';

const providerColumns = [
  'id',
  'name',
  'kind',
  'address',
  'sealed_key',
  'concurrency',
  'requests_per_minute',
  'tokens_per_minute',
  'limits_per',
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
  'requests_per_minute',
  'tokens_per_minute',
  'options',
  'reasoning_efforts',
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

/** The names of the models whose fallback answers. */
export async function listFailedOver(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('models')
    .select('name')
    .where('failed_over_at', '>', after(now, -failedOverLasts))
    .execute();
  return rows.map(({ name }) => name);
}

/** Reads again when a model was moved after it had been read, and its provider was deleted. */
export async function listModelsAndProviders(
  db: Db,
): Promise<{ models: ModelRow[]; rows: ProviderRow[] }> {
  // Models first: a provider that is added with its model has been inserted by then.
  const models = await listModelRows(db);
  const rows = await listProviders(db);
  const ids = new Set<string | null>([null, ...rows.map(({ id }) => id)]);
  return models.every((model) => ids.has(model.provider_id))
    ? { models, rows }
    : listModelsAndProviders(db);
}

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

export async function removeProvider(db: Db, id: string): Promise<void> {
  await db.deleteFrom('providers').where('id', '=', id).execute();
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

export async function markFailedOver(db: Db, name: string, at: Date): Promise<void> {
  await updateModel(db, name, { failed_over_at: at });
}

/** For all models of a provider that is up again. */
export async function clearFailedOver(db: Db, providerId: string | null): Promise<void> {
  await db
    .updateTable('models')
    .set({ failed_over_at: null })
    .where('provider_id', 'is not distinct from', providerId)
    .where('failed_over_at', 'is not', null)
    .execute();
}

/** The currency of all prices, and so of costs. */
export async function saleCurrency(db: Db): Promise<string> {
  return (await db.selectFrom('tax').select('currency').executeTakeFirstOrThrow()).currency;
}

/** Of a day, a model or a client. */
export type CostSums = Omit<CostSumTable, 'day' | 'model' | 'user_id' | 'cost'> & {
  key: string;
  cost: number;
};

const keys: Record<CostGroup, string> = { day: 'day', model: 'model', client: 'user_id' };
const figures = sql`answers, submissions, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, unknown_costs`;
const sums = sql`sum(answers)::bigint as answers, sum(submissions)::bigint as submissions,
  sum(input_tokens)::bigint as input_tokens, sum(cached_tokens)::bigint as cached_tokens, sum(output_tokens)::bigint as output_tokens,
  sum(reasoning_tokens)::bigint as reasoning_tokens, sum(cost) as cost, sum(unknown_costs)::bigint as unknown_costs`;

/** From this day on, in UTC. Running batches have their own figures. */
export async function sumCosts(
  db: Db,
  { by, since }: { by: CostGroup; since: string },
): Promise<CostSums[]> {
  const { rows } = await sql<CostSums>`
    select key::text, answers, submissions, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost::float8, unknown_costs from (
      select ${sql.raw(keys[by])} as key, ${sums} from (
        select day, model, user_id, ${figures} from cost_sums
        union all
        select day, model, user_id, ${figures} from cost_parts
        union all
        select (coalesce(started_at, created_at) at time zone 'UTC')::date, model, user_id, answered, charged,
          input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, unknown_costs
        from batches where state = 'running'
      ) costs where day >= ${since}::date group by 1
    ) sums where answers + unknown_costs + input_tokens + output_tokens > 0`.execute(db);
  return rows;
}

/** Adds the parts of costs to their sums. */
export async function addCostParts(db: Db): Promise<void> {
  await sql`
    with parts as (
      delete from cost_parts returning *
    )
    insert into cost_sums (day, model, user_id, ${figures})
    select day, model, user_id, ${sums} from parts group by day, model, user_id order by day, model, user_id
    on conflict (day, model, user_id) do update set
      answers = cost_sums.answers + excluded.answers,
      submissions = cost_sums.submissions + excluded.submissions,
      input_tokens = cost_sums.input_tokens + excluded.input_tokens,
      cached_tokens = cost_sums.cached_tokens + excluded.cached_tokens,
      output_tokens = cost_sums.output_tokens + excluded.output_tokens,
      reasoning_tokens = cost_sums.reasoning_tokens + excluded.reasoning_tokens,
      cost = cost_sums.cost + excluded.cost,
      unknown_costs = cost_sums.unknown_costs + excluded.unknown_costs`.execute(db);
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
      sql<
        number | null
      >`sum((total_minor - tax_minor) * (1 - reversed_minor::float8 / total_minor))`.as('minor'),
      sql<number | null>`sum(granted - taken_back)::float8`.as('sold'),
    ])
    .where('currency', '=', currency)
    .where('paid_at', '>=', since)
    .executeTakeFirstOrThrow();
  return sold ? (minor ?? 0) / sold : null;
}
