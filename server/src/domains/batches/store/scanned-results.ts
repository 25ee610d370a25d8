import type { RowState } from '@rowmill/contract';
import { type RawBuilder, sql } from 'kysely';
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
  /** Also what a failed row was answered. */
  stored_answer: startOf(storedAnswer, searched.characters),
};
export type ScannedColumn = keyof typeof columns;
type TextColumn = Exclude<ScannedColumn, 'state' | 'marks'>;

/**
 * A test in the database. It finds only rows with a result: `may` all that pass and perhaps more, `sure` none that fail.
 * Rows between the two are tested by the server, which knows all letters and reads answer columns.
 */
export interface ResultTest {
  may: RawBuilder<boolean>;
  sure: RawBuilder<boolean>;
}

const never = sql<boolean>`false`;
const exactly = (test: RawBuilder<boolean>): ResultTest => ({ may: test, sure: test });

export const hasState = (state: RowState) => exactly(sql`state = ${state}`);

/** The second condition is that of the index. */
export const hasMark = (bits: number) =>
  exactly(sql`(marks & ${bits}::smallint <> 0 and marks <> 0)`);

export function containsText(column: TextColumn, text: string): ResultTest {
  const patterns = foldedPatterns(text);
  const all = textOf(column);
  const length = sql.lit(searched.characters);
  const folded = sql`lower(${startOf(all, searched.characters)} collate "C")`;
  return {
    may: sql`${folded} like ${patterns.may}`,
    sure:
      patterns.exact === null
        ? never
        : sql`(octet_length(${all}) <= ${length} and ${folded} like ${patterns.exact})`,
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

/** Lists of the same length, in the order of the rows. `sure` is empty when the database tests nothing. */
export interface ScannedResults {
  rows: number[];
  sure: (0 | 1)[];
  columns: Partial<Record<ScannedColumn, (string | number | null)[]>>;
}

/** Each column comes as one JSON text: an object for each row takes several times as long. */
export async function scanResults(
  db: Db,
  {
    batchId,
    first,
    last,
    scan,
  }: { batchId: string; first: number; last: number; scan: ResultScan },
): Promise<ScannedResults> {
  const names = [...scan.always, ...scan.whenUnsure].filter(
    (name, index, all) => all.indexOf(name) === index,
  );
  const inner = names.map((name) => sql`, ${columns[name]} as ${sql.ref(`read_${name}`)}`);
  const outer = names.map((name) => {
    const values = listOf(sql.ref(`read_${name}`), { isPartial: !scan.always.has(name) });
    return sql`, ${values} as ${sql.ref(name)}`;
  });
  const decided = scan.decided?.sure;
  const sure = decided ? sql`, case when ${decided} then 1 else 0 end as sure` : sql``;
  const sureList = decided ? sql`, ${listOf(sql`sure`)} as sure` : sql``;
  const { rows } = await sql<Record<'rows' | 'sure' | ScannedColumn, string>>`
    select ${listOf(sql`row`)} as rows ${sureList} ${sql.join(outer, sql``)}
    from (
      select row ${sure} ${sql.join(inner, sql``)}
      from results
      where batch_id = ${batchId} and row >= ${first} and row <= ${last} and ${scan.where.may}
      order by row
    ) found`.execute(db);
  const [lists] = rows;
  const parse = (name: keyof NonNullable<typeof lists>) => JSON.parse(lists?.[name] ?? '[]');
  const known: (0 | 1)[] = parse('sure');
  const columnOf = (name: ScannedColumn) => {
    const values = parse(name);
    if (scan.always.has(name)) return values;
    let next = 0;
    return known.map((isSure) => (isSure ? null : values[next++]));
  };
  return {
    rows: parse('rows'),
    sure: known,
    columns: Object.fromEntries(names.map((name) => [name, columnOf(name)])),
  };
}

/** A partial list has only the rows that need a further test. */
function listOf(value: RawBuilder<unknown>, { isPartial = false } = {}) {
  const filter = isPartial ? sql`filter (where sure = 0)` : sql``;
  return sql`coalesce(json_agg(${value}) ${filter}, '[]')::text`;
}
