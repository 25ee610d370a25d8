import { type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';

type Table = keyof Schema;
type Column<T extends Table> = keyof Schema[T] & string;

export interface ExportedTable {
  /** The condition for the rows of a person. */
  of: (userId: string) => RawBuilder<boolean>;
  /** The columns of a unique key, in whose order the rows are read. */
  key: readonly string[];
  omitted: Readonly<Record<string, string>>;
}

interface Options<T extends Table> {
  key?: readonly Column<T>[];
  /** Columns that the export leaves out, and why. */
  omitted?: Partial<Record<Column<T>, string>>;
}

const secret = 'A secret.';
const noOwner = 'Belongs to no person.';
const costOfOperator = 'What answers cost the operator.';

/** Every table: how the export of a person's data reads it, or why it is left out. */
export const personalData: Record<Table, ExportedTable | string> = {
  users: ownedBy<'users'>('id', {
    omitted: { password_hash: secret, search_text: 'Name and address in small letters.' },
  }),
  sessions: ownedBy<'sessions'>('user_id', {
    omitted: { token_hash: secret },
  }),
  email_links: ownedBy<'email_links'>('user_id', { omitted: { token_hash: secret } }),
  billing_addresses: ownedBy<'billing_addresses'>('user_id', { key: ['user_id'] }),
  user_plans: ownedBy<'user_plans'>('user_id'),
  client_limits: ownedBy<'client_limits'>('user_id', { key: ['user_id'] }),
  notifications: ownedBy<'notifications'>('user_id'),
  former_clients: ownedBy<'former_clients'>('client_id', { key: ['client_id', 'admin_id'] }),
  credit_accounts: ownedBy<'credit_accounts'>('user_id', { key: ['user_id'] }),
  credit_entries: ownedBy<'credit_entries'>('user_id'),
  sheets: ownedBy<'sheets'>('user_id', {
    omitted: { offsets: 'Positions in the file of rows.', column_sizes: 'Lengths of its cells.' },
  }),
  variables: ownedBy<'variables'>('user_id', { key: ['name'] }),
  batches: ownedBy<'batches'>('user_id', {
    omitted: {
      selected_rows: 'A bit for each row of the sheet; its download has those rows.',
      cost: costOfOperator,
      unknown_costs: costOfOperator,
    },
  }),
  single_prompts: ownedBy<'single_prompts'>('user_id', { omitted: { cost: costOfOperator } }),
  orders: ownedBy<'orders'>('user_id'),
  order_lines: partOf<'order_lines'>('order_id', 'orders', ['order_id', 'position']),
  payments: ownedBy<'payments'>('user_id'),
  reversals: partOf<'reversals'>('payment_id', 'payments', ['provider_ref']),
  invoices: partOf<'invoices'>('order_id', 'orders', ['series', 'sequence']),
  audit_entries: {
    of: (id) => sql`(subject_id = ${id} or actor_id = ${id})`,
    key: ['id'],
    omitted: {},
  },
  results:
    'The answers of a batch, with marks, judgements, notes and corrections, are in its own download.',
  audit_counts: noOwner,
  answer_counts: 'Numbers of answers, which are in the export.',
  batch_counts: 'Numbers of batches, which are in the export.',
  cost_sums: costOfOperator,
  cost_parts: costOfOperator,
  earlier_problems: 'Reasons of failed rows, deleted with their batch.',
  slices: 'Work of a running batch.',
  idempotency_keys: 'Copies of answers, deleted after a day.',
  provider_events: 'Ids of payments, which are in the export.',
  transaction_receipts: 'Numbers of transactions, deleted after a day.',
  rate_limits: 'Counters under hashes, deleted when their window ends.',
  catalogue_history: 'What an operator sold and when: it belongs to the installation.',
  plans: noOwner,
  packs: noOwner,
  tax: noOwner,
  cooldowns: noOwner,
  model_formats: noOwner,
  providers: noOwner,
  models: noOwner,
  invoice_numbers: noOwner,
  demo_mark: noOwner,
  storage_probes: noOwner,
};

function ownedBy<T extends Table>(
  column: Column<T>,
  { key = ['id' as Column<T>], omitted = {} }: Options<T> = {},
): ExportedTable {
  return {
    of: (userId) => sql`${sql.ref(column)} = ${userId}`,
    key,
    omitted: omitted as Record<string, string>,
  };
}

/** What belongs to an order or a payment belongs to its buyer. */
function partOf<T extends Table>(
  column: Column<T>,
  parent: 'orders' | 'payments',
  key: readonly Column<T>[],
): ExportedTable {
  return {
    of: (userId) =>
      sql`${sql.ref(column)} in (select id from ${sql.table(parent)} where user_id = ${userId})`,
    key,
    omitted: {},
  };
}

/** The columns of its key, and the JSON of the row. */
export type Row = Record<string, unknown> & { json: string };

interface Page {
  name: string;
  table: ExportedTable;
  columns: readonly ExportedColumn[];
  /** The last row of the page before. */
  last: Row | undefined;
  count: number;
  /** The page ends with the row that reaches this many bytes. */
  bytes: number;
}

interface ExportedColumn {
  name: string;
  hasVariableLength: boolean;
  isInstant: boolean;
}

/** The columns of a table that an export has. */
export async function listColumns(
  db: Db,
  { name, table }: Pick<Page, 'name' | 'table'>,
): Promise<ExportedColumn[]> {
  const { rows } = await sql<ExportedColumn>`
    select attname::text as name, attlen < 0 as "hasVariableLength",
      atttypid = 'timestamptz'::regtype as "isInstant"
    from pg_attribute
    where attrelid = ${name}::regclass and attnum > 0 and not attisdropped
    order by attnum`.execute(db);
  return rows.filter((column) => !Object.hasOwn(table.omitted, column.name));
}

/**
 * The database writes the JSON. Objects made of the rows would grow the heaps of both threads by
 * some 15 MB for 1,000,000 rows, because garbage of long exports is collected late. It counts the
 * bytes first, because a row of 300 kB may follow a page of hundreds of short ones.
 */
export async function readRows(
  db: Db,
  userId: string,
  { name, table, columns, last, count, bytes }: Page,
): Promise<Row[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  const isLater = last
    ? sql`(${key}) > (${sql.join(table.key.map((column) => last[column]))})`
    : sql`true`;
  const exported = sql.join(columns.map(asExported));
  const lengths = columns
    .filter(({ hasVariableLength }) => hasVariableLength)
    .map((column) => sql`coalesce(octet_length(${sql.ref(column.name)}::text), 0)`);
  const length = lengths.length > 0 ? sql.join(lengths, sql` + `) : sql`0`;
  const { rows } = await sql<Row>`
    select ${key}, (select row_to_json(exported) from (select ${exported}) exported)::text as json
    from (
      select *, sum(${length}) over (order by ${key}) - (${length}) as bytes_before
      from (
        select * from ${sql.table(name)} where ${table.of(userId)} and ${isLater}
        order by ${key} limit ${count}
      ) counted
    ) page
    where bytes_before < ${bytes} order by ${key}`.execute(db);
  return rows;
}

/** Instants as in every other answer, such as 2026-11-26T17:14:08.123Z. */
function asExported({ name, isInstant }: ExportedColumn): RawBuilder<unknown> {
  const column = sql.ref(name);
  if (!isInstant) return column;
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;
}
