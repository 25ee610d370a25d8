import { type Selectable, sql } from 'kysely';
import type { CreditEntryTable } from '../../src/db/schema.ts';
import { openRows } from '../../src/domains/batches/store/batches.ts';
import { showUsage } from '../../src/domains/batches/usage.ts';
import { describeBatch } from '../../src/domains/batches/views.ts';
import { getBalance } from '../../src/domains/credits/ledger.ts';
import { same } from './expect.ts';
import { type Batch, countOf, type User } from './reference.ts';
import type { Simulation } from './simulation-state.ts';

type Entry = Selectable<CreditEntryTable>;
/** The chart of the dashboard. */
const days = 14;
const week = 7;

/** What the dashboard and the receipts show, six figures each, as sums over the ledger. */
export async function compareFigures(sim: Simulation): Promise<void> {
  for (const user of sim.reference.users) {
    const entries = await sim.app.ctx.db
      .selectFrom('credit_entries')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute();
    await compareDashboard(sim, user, entries);
    await compareReceipts(sim, user, entries);
  }
}

/** Balance, bars of the chart, use of the last week and of all days, and the success rate. */
async function compareDashboard({ app, reference }: Simulation, user: User, entries: Entry[]) {
  const [acting] = user.actors;
  if (!acting) return;
  const { ctx } = app;
  const into = (bucket: string) => sumOf(entries.filter(({ to_bucket }) => to_bucket === bucket));
  const from = (bucket: string) =>
    sumOf(entries.filter(({ from_bucket }) => from_bucket === bucket));
  const starts = startsBetween(entries);
  const usage = await showUsage(ctx, acting, { days: starts.map((start) => start.toISOString()) });
  const spent = entries.filter(({ to_bucket }) => to_bucket === 'spent');
  const spentSince = (start: Date, end = new Date(8.64e15)) =>
    sumOf(spent.filter(({ at }) => at >= start && at < end));
  const shown = {
    balance: await getBalance(ctx, user.id),
    bars: usage.charged,
    usedLately: sumOf(usage.charged.slice(-week).map(asEntry)),
    used: sumOf(usage.charged.map(asEntry)),
    answered: usage.answered,
    failed: usage.failed,
  };
  // Deleted batches count too. Every charge of a row is the charge of an answer; free ones are in
  // no ledger.
  const answers = reference.batches
    .filter(({ owner }) => owner === user)
    .reduce((sum, batch) => sum + answersOf(batch), 0);
  const prompts = reference.questions.filter(
    ({ owner, state }) => owner === user && state === 'answered',
  ).length;
  const failures = await sql<{ count: number }>`
    select (select coalesce(sum(failed), 0) from batches where user_id = ${user.id})
      + (select count(*) from single_prompts where user_id = ${user.id} and state = 'failed' and batch_id is null) as count`.execute(
    ctx.db,
  );
  same(`the dashboard of ${user.id}`, shown, {
    balance: into('available') - from('available'),
    bars: starts.map((start, index) => spentSince(start, starts[index + 1])),
    usedLately: spentSince(starts[days - week] as Date),
    used: into('spent'),
    answered: answers + prompts,
    failed: Number(failures.rows[0]?.count),
  });
}

/** What each batch charged and reserves; for an ended one also its rows and what was returned. */
async function compareReceipts({ app, reference }: Simulation, user: User, entries: Entry[]) {
  const rows = await app.ctx.db
    .selectFrom('batches')
    .selectAll()
    .where('user_id', '=', user.id)
    .where('deleted_at', 'is', null)
    .execute();
  for (const row of rows) {
    const { receipt, charged: shown, held } = await describeBatch(app.ctx, row);
    const sumFor = (cause: string) =>
      sumOf(entries.filter((entry) => entry.cause.startsWith(`${cause}:${row.id}:`)));
    const [charged, returned] = [sumFor('settle'), sumFor('release')];
    const batch = reference.batches.find(({ id }) => id === row.id);
    const sums = { charged, held: sumFor('hold') - charged - returned };
    same(`the submissions of ${batch?.label}`, { charged: shown, held }, sums);
    if (!receipt) continue;
    const isCounted = row.price === 0 || row.price_tokens !== null;
    const answered = isCounted ? row.answered : charged / row.price;
    same(`the receipt of ${batch?.label}`, receipt, {
      answered,
      failed: row.rows - answered - row.skipped - openRows(row),
      skipped: batch && countOf(batch, 'skipped'),
      charged,
      returned: (batch?.mostReserved ?? 0) - charged,
    });
  }
}

const answersOf = (batch: Batch) =>
  batch.price === 0 || batch.model === 'sized'
    ? countOf(batch, 'answered')
    : batch.charged / batch.price;

const asEntry = (amount: number) => ({ amount });
const sumOf = (entries: readonly { amount: number }[]) =>
  entries.reduce((sum, { amount }) => sum + amount, 0);

/** As many days as the chart has, of equal length, over all entries. */
function startsBetween(entries: readonly Entry[]): Date[] {
  const times = entries.map(({ at }) => at.getTime());
  const first = Math.min(...times);
  const length = Math.ceil((Math.max(...times) - first + 1) / days);
  return Array.from({ length: days }, (_, day) => new Date(first + day * length));
}
