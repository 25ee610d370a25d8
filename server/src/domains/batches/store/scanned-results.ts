import type { RowState } from '@rowmill/contract';
import { type RawBuilder, sql } from 'kysely';
import { invariant } from '../../../core/refusal.ts';
import { startOf } from '../../../db/lists.ts';
import type { Db } from '../../../db/transaction.ts';
import { searched } from '../../../lib/search.ts';

/** A longer answer is cut, so one of several columns is read again: its columns cannot be told. */
export const scannedAnswer = 8_000;

/** A correction replaces the answer. */
const storedAnswer = sql`coalesce(correction, answer)`;
const shownAnswer = sql`case when state = 'answered' then ${storedAnswer} end`;

/** What a scan reads of a result. Texts are cut, because each can have a megabyte. */
const columns = {
  state: sql`state`,
  marks: sql`marks`,
  judgement: sql`judgement`,
  note: sql`note`,
  problem: startOf(sql`problem`, searched.characters),
  correction: startOf(sql`correction`, scannedAnswer),
  answer: startOf(shownAnswer, scannedAnswer),
  answer_start: startOf(shownAnswer, searched.characters),
  /** Includes the unusable answer of a failed row. */
  stored_answer: startOf(storedAnswer, searched.characters),
};
export type ScannedColumn = keyof typeof columns;

/** Tests in the database, which finds only rows with a result. */
export type ResultTest = RawBuilder<boolean>;

export const hasState = (state: RowState): ResultTest => sql`state = ${state}`;

/** The second condition lets PostgreSQL use the index. */
export const hasMark = (bits: number): ResultTest =>
  sql`marks & ${bits}::smallint <> 0 and marks <> 0`;

/** Those that equal the text, and others. */
export const includesText = (column: ScannedColumn, text: string): ResultTest =>
  sql`strpos(${columns[column]}, ${text}) > 0`;

export interface ResultScan {
  /** Only results that pass all of them are read. */
  where: readonly ResultTest[];
  columns: ReadonlySet<ScannedColumn>;
}

/** Lists of the same length, in the order of the rows. */
export interface ScannedResults {
  rows: number[];
  columns: Partial<Record<ScannedColumn, string[]>>;
  /** The columns of cut answers, by their place in the lists. */
  longAnswers?: ReadonlyMap<number, readonly string[]>;
}

interface ScannedRange {
  batchId: string;
  first: number;
  last: number;
  scan: ResultScan;
}

/**
 * Each column comes as one text: a list in JSON takes twice as long, and an object for each row
 * several times. If a text has the separator itself, all are read again without it.
 */
export async function scanResults(db: Db, range: ScannedRange): Promise<ScannedResults> {
  const found = unpack(await readLists(db, range, (text) => text), range.scan);
  if (found) return found;
  const cleaned = await readLists(db, range, (text) => sql`replace(${text}, ${separator}, ' ')`);
  const results = unpack(cleaned, range.scan);
  invariant(results, 'texts without the separator are as many as rows');
  return results;
}

const separator = '\u001f';

type Lists = Partial<Record<'rows' | ScannedColumn, string | null>>;

async function readLists(
  db: Db,
  { batchId, first, last, scan }: ScannedRange,
  clean: (text: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<Lists> {
  const names = [...scan.columns];
  const texts = names.map((name) => sql`, ${columns[name]} as ${sql.ref(name)}`);
  const lists = names.map((name) => {
    const text = clean(sql`coalesce(${sql.ref(name)}::text, '')`);
    return sql`, string_agg(${text}, ${separator}) as ${sql.ref(name)}`;
  });
  const tests = scan.where.map((test) => sql`and ${test}`);
  const { rows } = await sql<Lists>`
    select string_agg(row::text, ',') as rows ${sql.join(lists, sql``)}
    from (
      select row ${sql.join(texts, sql``)}
      from results
      where batch_id = ${batchId} and row >= ${first} and row <= ${last} ${sql.join(tests, sql` `)}
      order by row
    ) found`.execute(db);
  return rows[0] ?? {};
}

/** Null when a list has too many texts. */
function unpack(lists: Lists, { columns }: ResultScan): ScannedResults | null {
  const rows: number[] = JSON.parse(`[${lists.rows ?? ''}]`);
  const texts: ScannedResults['columns'] = {};
  if (rows.length === 0) return { rows, columns: texts };
  for (const name of columns) {
    const values = (lists[name] ?? '').split(separator);
    if (values.length !== rows.length) return null;
    texts[name] = values;
  }
  return { rows, columns: texts };
}
