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
};

/** The names of what is broken, with the records that break it. */
export async function findBrokenInvariants(db: Db): Promise<{ invariant: string; ids: string[] }[]> {
  const broken = [];
  for (const [invariant, statement] of Object.entries(invariants)) {
    const { rows } = await sql.raw<Record<string, string>>(statement).execute(db);
    if (rows.length > 0) broken.push({ invariant, ids: rows.flatMap((row) => Object.values(row)) });
  }
  return broken;
}
