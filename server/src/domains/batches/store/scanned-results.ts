import type { RowState } from '@rowmill/contract';
import { type RawBuilder, sql } from 'kysely';
import { invariant } from '../../../core/refusal.ts';
import { startOf } from '../../../db/lists.ts';
import type { Db } from '../../../db/transaction.ts';
import { foldedPatterns, searched } from '../../../lib/search.ts';

/** An answer of several columns is one JSON text, which is whole up to this length. */
const scannedAnswer = 8_000;

/** The correction stands in the place of the answer. */
const storedAnswer = sql`coalesce(correction, answer)`;
const shownAnswer = sql`case when state = 'answered' then ${storedAnswer} end`;

/** What a scan reads of a result. Long texts are cut, because the rows of a batch can have a megabyte each. */
const columns = {
  state: sql`state`,
  marks: sql`marks`,
  judgement: sql`judgement`,
  note: sql`note`,
  problem: startOf(sql`problem`, searched.characters),
  correction: startOf(sql`correction`, scannedAnswer),
  answer: startOf(shownAnswer, scannedAnswer),
  /** Includes the unusable answer of a failed row. */
  stored_answer: startOf(storedAnswer, searched.characters),
};
export type ScannedColumn = keyof typeof columns;
type TextColumn = Exclude<ScannedColumn, 'state' | 'marks'>;

/**
 * A test in the database. It finds only rows with a result: `may` all that pass and perhaps more, and `sure` tells which
 * of those need no further test. The others are tested by the server, which knows all letters and reads answer columns.
 */
export interface ResultTest {
  may: RawBuilder<boolean>;
  sure: RawBuilder<boolean>;
}

const never = sql<boolean>`false`;
const exactly = (test: RawBuilder<boolean>): ResultTest => ({ may: test, sure: test });

export const hasState = (state: RowState) => exactly(sql`state = ${state}`);

/** The second condition lets PostgreSQL use the index. */
export const hasMark = (bits: number) =>
  exactly(sql`(marks & ${bits}::smallint <> 0 and marks <> 0)`);

export function containsText(column: TextColumn, text: string): ResultTest {
  const { may, exact } = foldedPatterns(text);
  const all = textOf(column);
  const isWhole = sql<boolean>`octet_length(${all}) <= ${sql.lit(searched.characters)}`;
  const folded = sql`lower(${startOf(all, searched.characters)} collate "C")`;
  if (exact === null) return { may: sql`${folded} like ${may}`, sure: never };
  return {
    may: sql`${folded} like ${may}`,
    sure: exact === may ? isWhole : sql`(${isWhole} and ${folded} like ${exact})`,
  };
}

/** The server compares without spaces around. */
export function equalsText(column: TextColumn, text: string): ResultTest {
  return {
    may: sql`strpos(${columns[column]}, ${text}) > 0`,
    sure: text === text.trim() ? sql`${textOf(column)} = ${text}` : never,
  };
}

/** Sure with a visible ASCII character at the start. */
export function isFilled(column: TextColumn): ResultTest {
  const text = textOf(column);
  return { may: sql`${text} <> ''`, sure: sql`ascii(left(${text}, 1)) between 33 and 126` };
}

export function anyOf(tests: readonly ResultTest[]): ResultTest {
  return {
    may: sql`(${sql.join(
      tests.map(({ may }) => may),
      sql` or `,
    )})`,
    sure: sql`(${sql.join(
      tests.map(({ may, sure }) => sql`(${may} and ${sure})`),
      sql` or `,
    )})`,
  };
}

export function allOf(tests: readonly ResultTest[]): ResultTest {
  const joined = (parts: RawBuilder<boolean>[]) =>
    sql<boolean>`(${sql.join([sql`true`, ...parts], sql` and `)})`;
  return {
    may: joined(tests.map(({ may }) => may)),
    sure: joined(tests.map(({ sure }) => sure)),
  };
}

function textOf(column: TextColumn): RawBuilder<unknown> {
  if (column === 'answer') return shownAnswer;
  return column === 'stored_answer' ? storedAnswer : sql.ref(column);
}

export interface ResultScan {
  /** Only these results are read. */
  where: ResultTest;
  /** Which of them need no further test; null when the database tests nothing. */
  decided: ResultTest | null;
  always: ReadonlySet<ScannedColumn>;
  /** Read of the rows that need a further test. */
  whenUnsure: ReadonlySet<ScannedColumn>;
}

/** Lists of the same length, in the order of the rows. */
export interface ScannedResults {
  rows: number[];
  /** The results that need no further test. */
  sure: boolean[];
  /** A column that is read of the others only is empty when there are none. */
  columns: Partial<Record<ScannedColumn, string[]>>;
}

interface ScannedRange {
  batchId: string;
  first: number;
  last: number;
  scan: ResultScan;
}

/**
 * Each column comes as one text: an object for each row takes several times as long, and a list in JSON twice as long. A
 * text that has the separator itself makes its list too long, and then all are read again without it.
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

const columnsOf = ({ always, whenUnsure }: ResultScan) => [...new Set([...always, ...whenUnsure])];

/** Rows that need a further test are negative. */
async function readLists(
  db: Db,
  { batchId, first, last, scan }: ScannedRange,
  clean: (text: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<Lists> {
  const names = columnsOf(scan);
  const inner = names.map((name) => sql`, ${columns[name]} as ${sql.ref(`read_${name}`)}`);
  const outer = names.map((name) => {
    const text = clean(sql`coalesce(${sql.ref(`read_${name}`)}::text, '')`);
    const filter = scan.always.has(name) ? sql`` : sql`filter (where not sure)`;
    return sql`, string_agg(${text}, ${separator}) ${filter} as ${sql.ref(name)}`;
  });
  const { rows } = await sql<Lists>`
    select string_agg((case when sure then row else -1 - row end)::text, ',') as rows ${sql.join(outer, sql``)}
    from (
      select row, coalesce(${scan.decided?.sure ?? never}, false) as sure ${sql.join(inner, sql``)}
      from results
      where batch_id = ${batchId} and row >= ${first} and row <= ${last} and ${scan.where.may}
      order by row
    ) found`.execute(db);
  return rows[0] ?? {};
}

/** Null when a list has too many texts. */
function unpack(lists: Lists, scan: ResultScan): ScannedResults | null {
  const signed: number[] = JSON.parse(`[${lists.rows ?? ''}]`);
  const sure = signed.map((row) => row >= 0);
  const unsure = sure.filter((isSure) => !isSure).length;
  const texts: ScannedResults['columns'] = {};
  for (const name of columnsOf(scan)) {
    const values = lists[name]?.split(separator) ?? [];
    if (values.length !== (scan.always.has(name) ? signed.length : unsure)) return null;
    texts[name] = scan.always.has(name) ? values : spread(values, sure);
  }
  return { rows: signed.map((row) => (row >= 0 ? row : -1 - row)), sure, columns: texts };
}

/** Puts the values at the places of the results that are not sure. */
function spread(values: string[], sure: readonly boolean[]): string[] {
  if (values.length === 0) return values;
  let next = 0;
  return sure.map((isSure) => (isSure ? '' : (values[next++] ?? '')));
}
