import { answerMarks, bitOf } from '@rowmill/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { anyPromptTooLong } from '../../../texts/batches.ts';
import type { BatchRow } from './batches.ts';
import type { EarlierMark, RowResult } from './results.ts';

interface NewResults {
  batchId: string;
  results: readonly RowResult[];
  now: Date;
  /** A rate window that started before this is over; see rate-window.ts. */
  windowExpiry: Date;
  /** Whether rows may have results already. If not, one that has fails with `resultExists`. */
  mayExist: boolean;
}

interface Stored {
  new_answers: number;
  new_failures: number;
  new_skips: number;
  new_charge: number;
  /** Reserved for these answers and not charged, because they cost by size. */
  new_rest: number;
}

/** The primary key that refuses a second result of a row. */
export const resultExists = 'results_pkey';

/** The constraint that refuses a charge of more than is reserved for the batch. */
export const reservedConstraint = 'batches_reserved_check';

const numberTypes = {
  row: 'integer',
  marks: 'smallint',
  input_tokens: 'integer',
  cached_tokens: 'integer',
  output_tokens: 'integer',
  reasoning_tokens: 'integer',
  cost: 'bigint',
  estimated_tokens: 'integer',
  milliseconds: 'integer',
} as const;
const textColumns = ['state', 'answer', 'problem', 'answered_by'] as const;

/** At least one unit, and never more than was reserved for the row. */
const chargeBySize = sql`least(price, unit_price * greatest(1,
  ceil(coalesce(input_tokens + output_tokens, estimated_tokens, 0)::numeric / price_tokens)))::integer`;

const charge = sql`coalesce(by_size, new_answers::bigint * price)`;
const rest = sql`case when by_size is null or is_partial then 0 else new_answers::bigint * price - by_size end`;
/** Its row was blank or too long. */
const isFree = sql`state = 'skipped' or (state = 'failed' and problem like ${anyPromptTooLong})`;

/**
 * Inserting a result charges it. In one statement, only new rows change the batch's counts,
 * reservation and charge. With a price by size, the reservation loses what was reserved for them
 * and not charged, unless other rows need it. A row that already has a result, or that the batch no
 * longer wants, changes nothing.
 */
export async function insertResults(
  db: Db,
  { batchId, results, now, windowExpiry, mayExist }: NewResults,
) {
  const { rows } = await sql<BatchRow & Stored>`
    with given as (
      select * from ${givenRows(results)}
    ), batch as materialized (
      select rows, decode(selected_rows, 'base64') as selected, price, price_tokens, unit_price from batches where id = ${batchId} and deleted_at is null
      for no key update
    ), inserted as (
      insert into results (batch_id, row, state, answer, problem, marks, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, answered_by, milliseconds, charge)
      select ${batchId}, given.row, state, answer, problem, coalesce(marks, 0), input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, answered_by, milliseconds,
        case when price_tokens is not null and state = 'answered' then ${chargeBySize} end
      from given, batch
      where case when selected is null then given.row < rows
        when given.row < 8 * octet_length(selected) then get_bit(selected, given.row) = 1 else false end
      ${mayExist ? sql`on conflict do nothing` : sql``}
      returning state, problem, octet_length(answer) as bytes, marks, charge, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost
    ), counted as (
      select count(*) filter (where state = 'answered')::integer as new_answers,
             count(*) filter (where state = 'failed')::integer as new_failures,
             count(*) filter (where state = 'skipped')::integer as new_skips,
             count(*) filter (where ${isFree})::integer as new_free,
             coalesce(sum(bytes), 0)::bigint as new_bytes, sum(charge)::bigint as by_size,
             count(*) filter (where marks <> 0)::integer as new_marked,
             coalesce(sum(input_tokens), 0)::bigint as new_input, coalesce(sum(cached_tokens), 0)::bigint as new_cached,
             coalesce(sum(output_tokens), 0)::bigint as new_output, coalesce(sum(reasoning_tokens), 0)::bigint as new_reasoning,
             coalesce(sum(cost), 0) as new_cost,
             count(*) filter (where cost is null)::integer as new_unknown
      from inserted
    )
    update batches set
      answered = answered + new_answers,
      failed = failed + new_failures,
      skipped = skipped + new_skips,
      open_free_rows = open_free_rows - least(open_free_rows, new_free),
      result_bytes = result_bytes + new_bytes,
      marked = marked + new_marked,
      mark_counts = case when new_marked = 0 then mark_counts else ${countsPlus(sql`inserted`)} end,
      input_tokens = input_tokens + new_input,
      cached_tokens = cached_tokens + new_cached,
      output_tokens = output_tokens + new_output,
      reasoning_tokens = reasoning_tokens + new_reasoning,
      cost = cost + new_cost,
      unknown_costs = unknown_costs + new_unknown,
      reserved = reserved - ${charge} - ${rest},
      charged = charged + ${charge},
      previous_window_start = case when rate_window_start is null or rate_window_start < ${windowExpiry} then rate_window_start else previous_window_start end,
      previous_window_rows = case when rate_window_start is null or rate_window_start < ${windowExpiry} then rate_window_rows else previous_window_rows end,
      rate_window_rows = case when rate_window_start is null or rate_window_start < ${windowExpiry} then answered + failed + skipped else rate_window_rows end,
      rate_window_start = case when rate_window_start is null or rate_window_start < ${windowExpiry} then ${now} else rate_window_start end
    from counted where id = ${batchId}
    returning batches.*, new_answers, new_failures, new_skips, ${charge} as new_charge, ${rest} as new_rest`.execute(
    db,
  );
  return rows[0];
}

/** One parameter for each column, which takes a third less time than a list of objects. */
function givenRows(results: readonly RowResult[]): RawBuilder<unknown> {
  const listOf = (column: keyof RowResult) =>
    JSON.stringify(results.map((result) => result[column] ?? null));
  const numberColumns = Object.keys(numberTypes) as (keyof typeof numberTypes)[];
  const numbers = numberColumns.map((column) => {
    const list = `{${listOf(column).slice(1, -1)}}`;
    return sql`${list}::${sql.raw(numberTypes[column])}[]`;
  });
  const texts = textColumns.map(
    (column) => sql`json_array_elements_text(${listOf(column)}::text::json)`,
  );
  const names = [...numberColumns, ...textColumns].map((name) => sql.ref(name));
  return sql`rows from (unnest(${sql.join(numbers)}), ${sql.join(texts)}) as given (${sql.join(names)})`;
}

/** Adds the tokens and costs of calls whose result is not stored, because they were paid too. */
export async function addUsage(
  db: Db,
  batchId: string,
  results: readonly RowResult[],
): Promise<void> {
  const sum = (
    column: 'input_tokens' | 'cached_tokens' | 'output_tokens' | 'reasoning_tokens' | 'cost',
  ) => results.reduce((total, result) => total + (result[column] ?? 0), 0);
  await sql`
    update batches set
      input_tokens = input_tokens + ${sum('input_tokens')},
      cached_tokens = cached_tokens + ${sum('cached_tokens')},
      output_tokens = output_tokens + ${sum('output_tokens')},
      reasoning_tokens = reasoning_tokens + ${sum('reasoning_tokens')},
      cost = cost + ${sum('cost')},
      unknown_costs = unknown_costs + ${results.filter(({ cost }) => cost == null).length}
    where id = ${batchId}`.execute(db);
}

/** The counts of a batch with those of more rows. */
function countsPlus(rows: RawBuilder<unknown>, sign = sql`+`) {
  return sql`(
    select array_agg(coalesce(mark_counts[bit + 1], 0) ${sign} (select count(*)::integer from ${rows} where (marks >> bit) & 1 = 1) order by bit)
    from generate_series(0, ${answerMarks.length - 1}::integer) bit)`;
}

export async function markEarlier(
  db: Db,
  { batchId, mark, rows }: EarlierMark & { batchId: string },
): Promise<void> {
  const bits = bitOf(mark);
  const place = answerMarks.indexOf(mark) + 1;
  await sql`
    with changed as (
      update results set marks = marks | ${bits}::smallint
      where batch_id = ${batchId} and row = any (${rows}::integer[]) and marks & ${bits}::smallint = 0
      returning marks
    ), counted as (
      select count(*)::integer as added, count(*) filter (where marks = ${bits})::integer as new_marked from changed
    )
    update batches set
      marked = marked + new_marked,
      mark_counts[${sql.lit(place)}] = coalesce(mark_counts[${sql.lit(place)}], 0) + added
    from counted where id = ${batchId}`.execute(db);
}

interface FailedRange {
  batchId: string;
  first: number;
  last: number;
}

/** Keeps the reasons as `earlier_problems`, but not the unusable answers. */
export async function deleteFailedResults(
  db: Db,
  { batchId, first, last }: FailedRange,
): Promise<void> {
  await sql`
    with failed as (
      delete from results where batch_id = ${batchId} and state = 'failed' and row >= ${first} and row <= ${last}
      returning batch_id, row, problem, octet_length(answer) as bytes, marks
    ), kept as (
      insert into earlier_problems (batch_id, row, problem) select batch_id, row, coalesce(problem, '') from failed
      on conflict (batch_id, row) do update set problem = excluded.problem
    ), counted as (
      select count(*)::integer as cleared from failed
    )
    update batches set
      failed = failed - cleared,
      rate_window_rows = rate_window_rows - cleared,
      previous_window_rows = previous_window_rows - cleared,
      result_bytes = result_bytes - (select coalesce(sum(bytes), 0) from failed),
      marked = marked - (select count(*) from failed where marks <> 0)::integer,
      mark_counts = ${countsPlus(sql`failed`, sql`-`)}
    from counted where id = ${batchId}`.execute(db);
}

/** How many rows a statement deletes, so that others get their turns in between. */
const rowsPerStatement = 1_000;

/** Returns how many rows were deleted. */
export async function deleteResults(db: Db, batchId: string): Promise<number> {
  let deleted = 0;
  for (const table of ['earlier_problems', 'results'] as const) {
    const of = db.selectFrom(table).where('batch_id', '=', batchId);
    const { end } = await of
      .select(sql<number>`coalesce(max(row) + 1, 0)`.as('end'))
      .executeTakeFirstOrThrow();
    for (let first = 0; first < end; first += rowsPerStatement) {
      const { numDeletedRows } = await db
        .deleteFrom(table)
        .where('batch_id', '=', batchId)
        .where('row', '>=', first)
        .where('row', '<', first + rowsPerStatement)
        .executeTakeFirstOrThrow();
      deleted += Number(numDeletedRows);
    }
  }
  return deleted;
}
