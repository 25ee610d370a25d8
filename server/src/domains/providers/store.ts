import type { Insertable, Updateable } from 'kysely';
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
  'input_cost',
  'cached_cost',
  'output_cost',
  'options',
  'offered_to',
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
