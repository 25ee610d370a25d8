import { sql } from 'kysely';
import type { Db } from './transaction.ts';

/** What must be true of the books at any moment. Each statement finds what breaks it: no row is good news. */
const invariants: Record<string, string> = {
  'every pot of an account is the sum of its entries': `
    select account.user_id from credit_accounts account
    left join lateral (
      select coalesce(sum(case when to_pot = 'available' then amount when from_pot = 'available' then -amount end), 0) as available,
             coalesce(sum(case when to_pot = 'held' then amount when from_pot = 'held' then -amount end), 0) as held,
             coalesce(sum(case when to_pot = 'spent' then amount when from_pot = 'spent' then -amount end), 0) as spent,
             coalesce(sum(case when to_pot = 'owed' then amount when from_pot = 'owed' then -amount end), 0) as owed
      from credit_entries where credit_entries.user_id = account.user_id
    ) entries on true
    where (account.available, account.held, account.spent, account.owed)
      is distinct from (entries.available, entries.held, entries.spent, entries.owed)`,
  'what is held belongs to open batches and questions': `
    select user_id from credit_accounts account where held <>
      (select coalesce(sum(held), 0) from batches where batches.user_id = account.user_id) +
      (select coalesce(sum(held), 0) from questions where questions.user_id = account.user_id)`,
  'a batch has charged its answered rows, each once': `
    select id from batches where charged <> answered * price`,
  'the ledger has spent for a batch what the batch has charged': `
    select id from batches where charged <> (
      select coalesce(sum(amount), 0) from credit_entries
      where credit_entries.user_id = batches.user_id and to_pot = 'spent' and cause like 'settle:' || batches.id || ':%')`,
  'the counts of a batch are those of its results': `
    select id from batches
    left join lateral (
      select count(*) filter (where state = 'answered') as answered, count(*) filter (where state = 'failed') as failed
      from results where batch_id = batches.id
    ) found on true
    where deleted_at is null and (batches.answered <> found.answered or batches.failed <> found.failed)`,
  'a completed batch has a result for every row and holds nothing': `
    select id from batches where state = 'completed' and deleted_at is null and (answered + failed <> rows or held <> 0)`,
  'a batch never returns more than was held for it': `
    select id from batches where reserved < charged + held`,
  'a paid order was given what it has bought, once, and no other order anything': `
    select id from orders where granted <> case when paid_at is null then 0 else submissions end or granted <> (
      select coalesce(sum(amount), 0) from credit_entries
      where credit_entries.user_id = orders.user_id and cause = 'order:' || orders.id and from_pot = 'world')`,
  'what was taken back of an order is what the ledger says': `
    select id from orders where paid_at is not null and taken_back <> (
      select coalesce(sum(case when from_pot = 'available' or to_pot = 'owed' then amount else -amount end), 0) from credit_entries
      where credit_entries.user_id = orders.user_id and cause like 'reverse:' || orders.id || ':%')`,
  'of an order is taken back the share of its price that is refunded or disputed': `
    select id from orders
    left join lateral (
      select coalesce(sum(amount_minor), 0)::numeric as minor from reversals
      where state <> 'returned' and payment_id in (select id from payments where order_id = orders.id)
    ) gone on true
    where taken_back <> ceil(granted * least(gone.minor, total_minor) / total_minor)`,
  'an order costs what its lines cost': `
    select id from orders where total_minor <> (
      select coalesce(sum(quantity * rate_minor), 0) from order_lines where order_id = orders.id)`,
  'nobody has submissions to use while he owes some': `
    select user_id from credit_accounts where available > 0 and owed > 0`,
  'a paid order has an invoice of its total, and an unpaid one has none': `
    select id from orders left join papers on papers.order_id = orders.id and series = 'INV'
    where (paid_at is null) <> (number is null) or papers.total_minor <> orders.total_minor`,
  'credit notes never exceed the invoice': `
    select id from orders where total_minor < (
      select coalesce(sum(papers.total_minor), 0) from papers where order_id = orders.id and series = 'CN')`,
  'no number of an invoice or credit note is missing': `
    select series from paper_numbers where last <> (select count(*) from papers where papers.series = paper_numbers.series)`,
};

export const invariantClaims = Object.keys(invariants);

/** The names of what is broken, with the records that break it. */
export async function findBrokenInvariants(db: Db): Promise<{ invariant: string; ids: string[] }[]> {
  const broken = [];
  for (const [invariant, statement] of Object.entries(invariants)) {
    const { rows } = await sql.raw<Record<string, string>>(statement).execute(db);
    if (rows.length > 0) broken.push({ invariant, ids: rows.flatMap((row) => Object.values(row)) });
  }
  return broken;
}
