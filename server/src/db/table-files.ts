import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { sql } from 'kysely';
import type { Db } from './transaction.ts';

/** A table as a file of JSON lines that the database writes and reads, so no value changes. */
export interface Table {
  schema: string;
  name: string;
  columns: string[];
}

/** A row may have 256 KB, and all of these are in memory at once. */
const rowsAtOnce = 200;
/** Written by the migrations themselves. */
const leftOut = ['kysely_migration', 'kysely_migration_lock'];

export const fullName = ({ schema, name }: Table): string => `${schema}.${name}`;
const quoted = ({ schema, name }: Table) => sql`${sql.id(schema, name)}`;

/** The product's tables and the unfinished jobs. A start makes the queue's other tables. */
export async function listTables(db: Db): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select nspname as schema, relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where (nspname = 'public' and relkind = 'r' and relname not in (${sql.join(leftOut)}))
       or (nspname = 'jobs' and relname = 'job')
    group by 1, 2 order by 1 desc, 2`.execute(db);
  return rows;
}

const unfinishedJobs = sql`where state in ('created', 'retry', 'active', 'failed')`;
/** Not those that start others at their times, whose queue is made later: they are made again. */
const jobsOfKnownQueues = sql`where name in (select name from jobs.queue)`;

/** Returns the number of rows. Needs a transaction, whose snapshot is what is written. */
export async function writeTable(db: Db, table: Table, path: string): Promise<number> {
  let count = 0;
  async function* lines() {
    const rows = sql<{ line: string }>`fetch ${sql.raw(String(rowsAtOnce))} from backup_rows`;
    await sql`declare backup_rows cursor for select row_to_json(r)::text as line from ${quoted(table)} r
      ${table.schema === 'jobs' ? unfinishedJobs : sql``}`.execute(db);
    for (;;) {
      const { rows: found } = await rows.execute(db);
      if (found.length === 0) break;
      count += found.length;
      yield `${found.map(({ line }) => line).join('\n')}\n`;
    }
    await sql`close backup_rows`.execute(db);
  }
  const file = createWriteStream(path, { mode: 0o600 });
  await pipeline(Readable.from(lines()), createGzip({ level: 1 }), file);
  return count;
}

/** Node's own reader also splits at line separators that JSON leaves as they are. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  const text = createGunzip().setEncoding('utf8');
  // An error of the file becomes one of the text, which the loop throws.
  pipeline(createReadStream(path), text).catch(() => {});
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

export async function countRows(path: string): Promise<number> {
  let count = 0;
  for await (const _ of linesOf(path)) count++;
  return count;
}

/** Adds the rows of the file; columns that one side lacks are left out. */
export async function readTable(db: Db, table: Table, path: string): Promise<void> {
  let part: string[] = [];
  const insert = async () => {
    const known = Object.keys(JSON.parse(part[0] ?? '{}'));
    const columns = sql.join(
      table.columns.filter((name) => known.includes(name)).map((name) => sql.id(name)),
    );
    await sql`insert into ${quoted(table)} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${quoted(table)}, ${`[${part.join(',')}]`}::json)
      ${table.schema === 'jobs' ? jobsOfKnownQueues : sql``}`.execute(db);
    part = [];
  };
  for await (const line of linesOf(path)) if (part.push(line) === rowsAtOnce) await insert();
  if (part.length > 0) await insert();
}

/**
 * Runs work while the tables accept rows in any order and without triggers. The foreign keys are
 * checked at the end, when they are created again.
 */
export async function withoutConstraints(
  db: Db,
  tables: readonly Table[],
  work: () => Promise<void>,
): Promise<void> {
  const own = tables.filter(({ schema }) => schema === 'public');
  const { rows: keys } = await sql<{ at: string; name: string; definition: string }>`
    select conrelid::regclass::text as at, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`.execute(db);
  for (const { at, name } of keys)
    await sql`alter table ${sql.id(at)} drop constraint ${sql.id(name)}`.execute(db);
  for (const table of own) await sql`alter table ${quoted(table)} disable trigger user`.execute(db);
  await work();
  for (const table of own) {
    await sql`alter table ${quoted(table)} enable trigger user`.execute(db);
    await moveSequencesOn(db, table);
  }
  for (const { at, name, definition } of keys)
    await sql`alter table ${sql.id(at)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
      db,
    );
}

async function moveSequencesOn(db: Db, table: Table): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${fullName(table)}::regclass and attidentity <> ''`.execute(db);
  for (const { name } of rows)
    await sql`select setval(pg_get_serial_sequence(${fullName(table)}, ${name}), max(${sql.id(name)}))
      from ${quoted(table)} having max(${sql.id(name)}) is not null`.execute(db);
}

export async function deleteAllRows(db: Db, table: Table): Promise<void> {
  await sql`delete from ${quoted(table)}`.execute(db);
}

/** Any table of the product, or null in an empty database. */
export async function findAnyTable(db: Db): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select relnamespace::regnamespace || '.' || relname as name from pg_class
    where relkind in ('r', 'p', 'v') and relnamespace::regnamespace::text in ('public', 'jobs')
    order by 1 limit 1`.execute(db);
  return rows[0]?.name ?? null;
}

/** The connections to this PostgreSQL database besides this one. */
export async function countOtherConnections(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** The sheets that have files: those that are not deleted. */
export async function countSheets(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sheets where deleted_at is null`.execute(db);
  return rows[0]?.count ?? 0;
}
