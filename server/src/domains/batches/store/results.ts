import type { AnswerMark } from '@rowmill/contract';
import { type Selectable, sql } from 'kysely';
import type { ResultTable } from '../../../db/schema.ts';
import type { Db } from '../../../db/transaction.ts';

type Stored = Omit<Selectable<ResultTable>, 'batch_id'>;
type AlwaysSet = 'row' | 'state' | 'answer' | 'problem';

/** A result that is stored, or on its way. */
export interface RowResult extends Pick<Stored, AlwaysSet>, Partial<Omit<Stored, AlwaysSet>> {
  /** Earlier rows that get a mark because of this one. */
  earlier?: EarlierMark[];
  /** Estimated from the length when the provider counts none; a price by size needs it. */
  estimated_tokens?: number;
}

export type JudgedRow = Pick<Stored, 'row' | 'judgement' | 'note' | 'correction'>;

export interface EarlierMark {
  mark: AnswerMark;
  rows: number[];
}

const columns = [
  'row',
  'state',
  'answer',
  'problem',
  'marks',
  'judgement',
  'note',
  'correction',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'reasoning_tokens',
  'answered_by',
  'charge',
  'milliseconds',
] as const;

interface Range {
  batchId: string;
  first: number;
  last: number;
}

export async function listResultsBetween(
  db: Db,
  { batchId, first, last }: Range,
): Promise<RowResult[]> {
  return db
    .selectFrom('results')
    .select(columns)
    .where('batch_id', '=', batchId)
    .where('row', '>=', first)
    .where('row', '<=', last)
    .orderBy('row')
    .execute();
}

export async function listDoneRows(db: Db, { batchId, first, last }: Range): Promise<number[]> {
  const done = await db
    .selectFrom('results')
    .select('row')
    .where('batch_id', '=', batchId)
    .where('row', '>=', first)
    .where('row', '<=', last)
    .execute();
  return done.map(({ row }) => row);
}

export async function listResultsOf(
  db: Db,
  { batchId, rows }: { batchId: string; rows: readonly number[] },
): Promise<RowResult[]> {
  if (rows.length === 0) return [];
  return db
    .selectFrom('results')
    .select(columns)
    .where('batch_id', '=', batchId)
    .where('row', 'in', rows)
    .execute();
}

/** The last answered rows, without very long answers. */
export async function listLastAnswers(
  db: Db,
  { batchId, count, maxCharacters }: { batchId: string; count: number; maxCharacters: number },
) {
  const { rows } = await sql<{ row: number; answer: string }>`
    select row, answer from (
      select row, answer from results
      where batch_id = ${batchId} and state = 'answered' order by row desc limit ${count}
    ) last where length(answer) <= ${maxCharacters} order by row`.execute(db);
  return rows;
}

export async function countResultsBefore(
  db: Db,
  { batchId, row }: { batchId: string; row: number },
): Promise<number> {
  const { count } = await db
    .selectFrom('results')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('batch_id', '=', batchId)
    .where('row', '<', row)
    .executeTakeFirstOrThrow();
  return count;
}

export async function listResultRows(db: Db, batchId: string): Promise<number[]> {
  const results = await db
    .selectFrom('results')
    .select('row')
    .where('batch_id', '=', batchId)
    .orderBy('row')
    .execute();
  return results.map(({ row }) => row);
}

/** The failed row after this many others, from a row on. */
export async function findFailedRow(
  db: Db,
  { batchId, first, skip }: { batchId: string; first: number; skip: number },
): Promise<number | undefined> {
  const found = await db
    .selectFrom('results')
    .select('row')
    .where('batch_id', '=', batchId)
    .where('state', '=', 'failed')
    .where('row', '>=', first)
    .orderBy('row')
    .offset(skip)
    .limit(1)
    .executeTakeFirst();
  return found?.row;
}

export async function listEarlierProblems(
  db: Db,
  { batchId, rows }: { batchId: string; rows: readonly number[] },
): Promise<Map<number, string>> {
  if (rows.length === 0) return new Map();
  const earlier = await db
    .selectFrom('earlier_problems')
    .select(['row', 'problem'])
    .where('batch_id', '=', batchId)
    .where('row', 'in', rows)
    .execute();
  return new Map(earlier.map(({ row, problem }) => [row, problem]));
}
