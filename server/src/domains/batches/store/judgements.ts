import type { Judgement } from '@rowmill/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import type { BatchRow } from './batches.ts';
import type { JudgedRow } from './results.ts';

interface Changes extends Partial<Omit<JudgedRow, 'row'>> {
  batchId: string;
  rows: readonly number[];
}

/**
 * Only answered rows are judged. Needs the lock of the batch. Rows are joined by ctid: by numbers,
 * old statistics made PostgreSQL compare each with each (4 s for 1,000).
 */
export async function updateJudgements(
  db: Db,
  { batchId, rows, judgement, note, correction }: Changes,
) {
  const numbers = sql`any(${`{${rows.join(',')}}`}::integer[])`;
  const changed = (name: string, value: string | null | undefined) =>
    value === undefined ? sql.ref(`results.${name}`) : sql`${value}::text`;
  const sizeOf = (table: string) =>
    sql.raw(
      `coalesce(octet_length(${table}.note), 0) + coalesce(octet_length(${table}.correction), 0)`,
    );
  const counted = (name: Judgement) => sql`
    (select count(*) filter (where changed.judgement = ${name}) - count(*) filter (where changed.before = ${name})
     from changed)::integer`;
  const { rows: found } = await sql<BatchRow & { judged: JudgedRow[] }>`
    with old as materialized (
      select ctid, judgement, note, correction from results
      where batch_id = ${batchId} and row = ${numbers} and state = 'answered' for update
    ), changed as (
      update results set
        judgement = ${changed('judgement', judgement)},
        note = ${changed('note', note)},
        correction = ${changed('correction', correction)}
      from old where results.ctid = old.ctid
      returning results.row, results.judgement, results.note, results.correction, old.judgement as before,
        ${sizeOf('results')} - (${sizeOf('old')}) as bytes
    )
    update batches set
      judged_right = judged_right + ${counted('right')},
      judged_wrong = judged_wrong + ${counted('wrong')},
      judged_later = judged_later + ${counted('later')},
      judgement_version = judgement_version + 1,
      result_bytes = result_bytes + (select coalesce(sum(bytes), 0) from changed)
    where id = ${batchId}
    returning batches.*, (
      select coalesce(jsonb_agg(jsonb_build_object(
        'row', row, 'judgement', judgement, 'note', note, 'correction', correction) order by row), '[]')
      from changed) as judged`.execute(db);
  return { batch: found[0], judged: found[0]?.judged ?? [] };
}
