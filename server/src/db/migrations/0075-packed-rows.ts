import { type Kysely, sql } from 'kysely';

/** The rows that a batch asks become a bit for each row of the sheet: see slices/row-set.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table batches add column selected_rows text`.execute(db);
  const { rows } = await sql<{ id: string }>`
    select id from batches where selection is not null`.execute(db);
  for (const { id } of rows) {
    const found = await sql<{ selection: number[] }>`
      select selection from batches where id = ${id}`.execute(db);
    const packed = pack(found.rows[0]?.selection ?? []);
    await sql`update batches set selected_rows = ${packed} where id = ${id}`.execute(db);
  }
  await sql`alter table batches drop column selection`.execute(db);
}

function pack(rows: readonly number[]): string {
  const bytes = Buffer.alloc(((rows.at(-1) ?? -1) >> 3) + 1);
  for (const row of rows) bytes[row >> 3] = (bytes[row >> 3] ?? 0) | (1 << (row & 7));
  return bytes.toString('base64');
}
