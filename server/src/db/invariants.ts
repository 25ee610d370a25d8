import { sql } from 'kysely';
import type { Db } from './transaction.ts';

/**
 * The ledger checks: each query returns the records that break its claim, with their owners. It
 * reads ledger and results once as a whole; `node bench/invariants.ts` measures them.
 */
const invariants: Record<string, string> = {
  'each bucket of an account is the sum of its entries': `
    select account.user_id as id, account.user_id from credit_accounts account
    left join (
      select user_id,
             sum(case when to_bucket = 'available' then amount when from_bucket = 'available' then -amount end) as available,
             sum(case when to_bucket = 'reserved' then amount when from_bucket = 'reserved' then -amount end) as reserved,
             sum(case when to_bucket = 'spent' then amount when from_bucket = 'spent' then -amount end) as spent,
             sum(case when to_bucket = 'debt' then amount when from_bucket = 'debt' then -amount end) as debt
      from credit_entries group by user_id
    ) entries on entries.user_id = account.user_id
    where (account.available, account.reserved, account.spent, account.debt) is distinct from
      (coalesce(entries.available, 0), coalesce(entries.reserved, 0), coalesce(entries.spent, 0), coalesce(entries.debt, 0))`,
  'reserved submissions belong to open batches and single prompts': `
    select account.user_id as id, account.user_id from credit_accounts account
    left join (
      select user_id, sum(reserved) as reserved
      from (select user_id, reserved from batches union all select user_id, reserved from single_prompts) work group by user_id
    ) open on open.user_id = account.user_id
    where account.reserved <> coalesce(open.reserved, 0)`,
  'a batch charged each answered row once': `
    select id, user_id from batches where price_tokens is null and charged <> answered * price`,
  'a batch that costs by size charged each answered row its size': `
    select id, user_id from batches
    left join (
      select batch_id, sum(charge) as charged,
             count(*) filter (where (charge is not null) <> (results.state = 'answered') or charge < unit_price or charge > price
               or (results.input_tokens is not null
                 and charge > unit_price * greatest(1, ceil((results.input_tokens + results.output_tokens)::numeric / price_tokens)))) as wrong
      from results join batches on batches.id = batch_id where price_tokens is not null group by batch_id
    ) found on found.batch_id = batches.id
    where price_tokens is not null and (batches.charged > answered * price::bigint or batches.charged < answered * unit_price::bigint
      or (deleted_at is null and (batches.charged <> coalesce(found.charged, 0) or wrong > 0)))`,
  'a single prompt charged what the ledger spent for it': `
    select id, single_prompts.user_id from single_prompts
    left join (
      select user_id, split_part(cause, ':', 2) as prompt_id, amount
      from credit_entries where to_bucket = 'spent' and cause like 'question-end:%'
    ) ledger on ledger.user_id = single_prompts.user_id and ledger.prompt_id = single_prompts.id
    where charged <> coalesce(amount, 0)`,
  'the ledger spent for a batch what the batch charged': `
    select id, batches.user_id from batches
    left join (
      select user_id, split_part(cause, ':', 2) as batch_id, sum(amount) as spent
      from credit_entries where to_bucket = 'spent' and cause like 'settle:%' group by 1, 2
    ) ledger on ledger.user_id = batches.user_id and ledger.batch_id = batches.id
    where charged <> coalesce(ledger.spent, 0)`,
  'the counts of a batch match its results': `
    select coalesce(id, batch_id) as id, user_id from batches
    full join (
      select batch_id, count(*) filter (where state = 'answered') as answered, count(*) filter (where state = 'failed') as failed,
             count(*) filter (where state = 'skipped') as skipped
      from results group by batch_id
    ) found on found.batch_id = batches.id
    where id is null or deleted_at is null
      and (batches.answered <> coalesce(found.answered, 0) or batches.failed <> coalesce(found.failed, 0)
        or batches.skipped <> coalesce(found.skipped, 0))`,
  // It concerns no money, so it freezes no account.
  'the counts of batches match the batches': `
    select coalesce(counted.user_id, found.user_id) as id, null as user_id
    from (select user_id, state, sum(count) as count from batch_counts group by user_id, state) counted
    full join (
      select user_id, state, count(*) as count from batches where deleted_at is null group by user_id, state
    ) found on found.user_id = counted.user_id and found.state = counted.state
    where coalesce(counted.count, 0) <> coalesce(found.count, 0)`,
  // Like the counts of batches.
  'the counts of answers match the batches and prompts': `
    select coalesce(counted.user_id, found.user_id) as id, null as user_id
    from (select user_id, sum(answered) as answered, sum(failed) as failed from answer_counts group by user_id) counted
    full join (
      select user_id, sum(answered) as answered, sum(failed) as failed from (
        select user_id, answered, failed from batches where state <> 'running'
        union all
        select user_id, (state = 'answered')::integer, (state = 'failed')::integer from single_prompts
        where batch_id is null
      ) all_answers group by user_id
    ) found on found.user_id = counted.user_id
    where coalesce(counted.answered, 0) <> coalesce(found.answered, 0) or coalesce(counted.failed, 0) <> coalesce(found.failed, 0)`,
  // Like the counts of batches. What a person's prompts cost stays when they are deleted with the
  // account. A batch whose model was changed does not tell what its earlier answers cost.
  'the stored costs match the batches and prompts': `
    select distinct users.id, null as user_id
    from (
      select user_id from (
        select * from cost_sums
        union all select * from cost_parts
        union all
        select (coalesce(started_at, created_at) at time zone 'UTC')::date, model, user_id, -answered, -charged,
          -input_tokens, -cached_tokens, -output_tokens, -reasoning_tokens, -cost, -unknown_costs
        from batches where state <> 'running'
        union all
        select (asked_at at time zone 'UTC')::date, model, user_id, -(state = 'answered')::integer, -charged,
          -coalesce(input_tokens, 0), -coalesce(cached_tokens, 0), -coalesce(output_tokens, 0), -coalesce(reasoning_tokens, 0),
          -coalesce(cost, 0), -(cost is null)::integer
        from single_prompts where model is not null and state <> 'asking'
      ) compared group by day, user_id
      having (sum(answers), sum(submissions), sum(input_tokens), sum(cached_tokens), sum(output_tokens), sum(reasoning_tokens),
        sum(cost), sum(unknown_costs)) <> (0, 0, 0, 0, 0, 0, 0, 0)
    ) wrong join users on users.id = wrong.user_id
    where deleted_at is null and deletion_began_at is null`,
  'a completed batch has a result for every row and reserves nothing': `
    select id, user_id from batches
    where state = 'completed' and deleted_at is null and (answered + failed + skipped <> rows or reserved <> 0)`,
  'a batch never returns more than was reserved for it': `
    select id, user_id from batches where total_reserved < charged + reserved`,
  'a paid order granted its submissions once and an unpaid order none': `
    select id, user_id from orders where granted <> case when paid_at is null then 0 else submissions end or granted <> (
      select coalesce(sum(amount), 0) from credit_entries
      where credit_entries.user_id = orders.user_id and cause = 'order:' || orders.id and from_bucket = 'external')`,
  'submissions taken back for an order match the ledger': `
    select id, orders.user_id from orders
    left join (
      select user_id, split_part(cause, ':', 2) as order_id,
             sum(case when from_bucket = 'available' or to_bucket = 'debt' then amount else -amount end) as amount
      from credit_entries where cause like 'reverse:%' group by 1, 2
    ) ledger on ledger.user_id = orders.user_id and ledger.order_id = orders.id
    where paid_at is not null and taken_back <> coalesce(ledger.amount, 0)`,
  'the refunded or disputed share of an order is stored and taken back': `
    select id, user_id from orders
    left join (
      select order_id, sum(amount_minor)::numeric as minor from reversals join payments on payments.id = payment_id
      where state <> 'returned' and payment_status <> 'review' and refused_at is null group by order_id
    ) gone on gone.order_id = orders.id
    where reversed_minor <> least(coalesce(gone.minor, 0), total_minor)
      or taken_back <> ceil(granted * reversed_minor::numeric / total_minor)`,
  'the total of an order is the sum of its lines': `
    select id, user_id from orders
    left join (
      select order_id, sum(quantity * rate_minor) as minor from order_lines group by order_id
    ) lines on lines.order_id = orders.id
    where total_minor <> coalesce(lines.minor, 0)`,
  'an account with debt has no available submissions': `
    select user_id as id, user_id from credit_accounts where available > 0 and debt > 0`,
  'a paid order has an invoice over its total and an unpaid order has none': `
    select id, user_id from orders left join invoices on invoices.order_id = orders.id and series = 'INV'
    where (paid_at is null) <> (number is null) or invoices.total_minor <> orders.total_minor`,
  'credit notes never exceed the invoice': `
    select id, user_id from orders
    join (select order_id, sum(total_minor) as minor from invoices where series = 'CN' group by order_id) notes on notes.order_id = id
    where total_minor < notes.minor`,
  'invoice and credit note numbers have no gaps': `
    select series as id, null as user_id from invoice_numbers
    where last <> (select count(*) from invoices where invoices.series = invoice_numbers.series)`,
};

export const invariantClaims = Object.keys(invariants);

export interface BrokenInvariant {
  invariant: string;
  /** The ids of the records that break it. */
  ids: string[];
  /** The ids of their owners. */
  userIds: string[];
}

export async function findBrokenInvariants(db: Db): Promise<BrokenInvariant[]> {
  const broken = [];
  for (const invariant of invariantClaims) {
    const found = await findBreaches(db, invariant);
    if (found.ids.length > 0) broken.push(found);
  }
  return broken;
}

export async function findBreaches(db: Db, invariant: string): Promise<BrokenInvariant> {
  const { rows } = await sql
    .raw<{ id: string; user_id: string | null }>(invariants[invariant] ?? '')
    .execute(db);
  const userIds = new Set(rows.flatMap(({ user_id }) => user_id ?? []));
  return { invariant, ids: rows.map(({ id }) => id), userIds: [...userIds] };
}
