import { findBrokenInvariants } from '../../src/db/invariants.ts';
import { sumSpentPerDay } from '../../src/domains/credits/store.ts';
import { compareFigures } from './compare-figures.ts';
import { Mismatch, same } from './expect.ts';
import { type Batch, countOf, isBlankRow, isDone, type Reference, rowsToPay } from './reference.ts';
import type { Simulation } from './simulation-state.ts';

/** Compares the database with the reference and looks for work that is stuck. */
export async function compare(sim: Simulation): Promise<void> {
  await compareAccounts(sim);
  await compareUsage(sim);
  await compareBatches(sim);
  await compareOrders(sim);
  await findStuckBatches(sim);
}

/** Runs the ledger checks. */
export async function checkInvariants({ app }: Simulation): Promise<void> {
  const broken = await findBrokenInvariants(app.ctx.db);
  if (broken.length > 0)
    throw new Mismatch(
      broken.map(({ invariant, ids }) => `failed: ${invariant} (${ids})`).join('; '),
    );
}

async function compareAccounts({ app, reference }: Simulation): Promise<void> {
  const accounts = await app.ctx.db.selectFrom('credit_accounts').selectAll().execute();
  const known = new Map(accounts.map((account) => [account.user_id, account]));
  for (const user of reference.users) {
    const { available = 0, reserved = 0, spent = 0, debt = 0 } = known.get(user.id) ?? {};
    const expected = {
      available: user.available,
      reserved: reference.reservedBy(user),
      spent: user.spent,
      debt: user.debt,
    };
    same(`the account of ${user.id}`, { available, reserved, spent, debt }, expected);
  }
}

/** The figures of the dashboard, from the first charge on. */
async function compareUsage({ app, reference }: Simulation): Promise<void> {
  for (const user of reference.users) {
    const { db } = app.ctx;
    const usage = await sumSpentPerDay(db, { userId: user.id, days: [new Date(0)] });
    same(`what ${user.id} used`, usage, [user.spent]);
  }
}

async function compareBatches({ app, reference }: Simulation): Promise<void> {
  const fields = [
    'id',
    'state',
    'pause_reason',
    'rows',
    'answered',
    'failed',
    'skipped',
    'reserved',
    'charged',
    'price',
    'is_partial',
    'open_free_rows',
  ] as const;
  const rows = await app.ctx.db
    .selectFrom('batches')
    .select(fields)
    .where('deleted_at', 'is', null)
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  if (known.size !== reference.visibleBatches().length)
    throw new Mismatch(`${known.size} batches instead of ${reference.visibleBatches().length}`);
  for (const batch of reference.visibleBatches())
    same(`${batch.label}`, known.get(batch.id), rowOf(batch));
}

/** Null: only a start counts them. */
function freeRowsOf(batch: Batch): number | null {
  return batch.state === 'ready'
    ? null
    : batch.wanted.length - batch.results.size - rowsToPay(batch);
}

function rowOf(batch: Batch) {
  const { id, state, reason, wanted, reserved, charged, price, isPartial } = batch;
  const counts = {
    rows: wanted.length,
    answered: countOf(batch, 'answered'),
    failed: countOf(batch, 'failed'),
    skipped: countOf(batch, 'skipped'),
  };
  return {
    id,
    state,
    pause_reason: reason,
    ...counts,
    reserved: reserved,
    charged,
    price,
    is_partial: isPartial,
    open_free_rows: freeRowsOf(batch),
  };
}

async function compareOrders({ app, reference }: Simulation): Promise<void> {
  const fields = ['id', 'payment_status', 'granted', 'taken_back', 'refunded_minor'] as const;
  const orders = new Map(
    (await app.ctx.db.selectFrom('orders').select(fields).execute()).map((row) => [row.id, row]),
  );
  const payments = await app.ctx.db
    .selectFrom('payments')
    .select(['id', 'payment_status', 'paid_at'])
    .execute();
  const known = new Map(
    payments.map(({ id, payment_status: status, paid_at }) => [
      id,
      { status, isPaid: paid_at !== null },
    ]),
  );
  for (const order of reference.orders) {
    const {
      id,
      label,
      status: payment_status,
      submissions,
      isPaid,
      takenBack: taken_back,
      refundedMinor: refunded_minor,
    } = order;
    same(label, orders.get(id), {
      id,
      payment_status,
      granted: isPaid ? submissions : 0,
      taken_back,
      refunded_minor,
    });
    for (const { id: paymentId, attempt, status, isPaid } of order.payments)
      same(`attempt ${attempt} of ${label}`, known.get(paymentId), { status, isPaid });
  }
}

/** Every running batch has slices, queued or leased, and a reservation for all rows. */
async function findStuckBatches({ app, reference, leased }: Simulation): Promise<void> {
  const running = reference.visibleBatches().filter(({ state }) => state === 'running');
  if (running.length === 0) return;
  const slices = await app.ctx.db
    .selectFrom('slices')
    .selectAll()
    .where('state', '=', 'queued')
    .execute();
  const known = new Set([
    ...app.queue.jobs.map(({ batchId, first }) => `${batchId} ${first}`),
    ...leased.map(({ batch, first }) => `${batch.id} ${first}`),
  ]);
  for (const batch of running) {
    const queued = slices.filter((slice) => slice.batch_id === batch.id);
    if (queued.length === 0) throw new Mismatch(`${batch.label} runs without a slice`);
    for (const { first } of queued) {
      if (!known.has(`${batch.id} ${first}`))
        throw new Mismatch(`the slice ${first} of ${batch.label} is lost`);
    }
    const asked = queued.flatMap(({ first, count }) => batch.wanted.slice(first, first + count));
    const open = asked.filter((row) => !batch.results.has(row) && !isBlankRow(batch, row));
    if (open.length * batch.price > batch.reserved && !batch.sharesReservation) {
      throw new Mismatch(
        `${open.length} rows of ${batch.label} are open, but only ${batch.reserved} submissions reserved`,
      );
    }
  }
}

/** After the end of all work: every batch has its results, and no submission is lost. */
export async function compareEnds(sim: Simulation): Promise<void> {
  const { app, reference } = sim;
  for (const batch of reference.visibleBatches()) {
    if (batch.state === 'running' || batch.state === 'paused')
      throw new Mismatch(`${batch.label} has not ended`);
    if (batch.state === 'completed' && !isDone(batch))
      throw new Mismatch(`${batch.label} is not complete`);
    const results = app.ctx.db
      .selectFrom('results')
      .select(['row', 'state'])
      .where('batch_id', '=', batch.id);
    const found = (await results.orderBy('row').execute()).map(({ row, state }) => [row, state]);
    same(
      `the results of ${batch.label}`,
      found,
      [...batch.results].sort(([a], [b]) => a - b),
    );
  }
  same('the sum of all submissions', totalOf(reference), reference.granted);
  await compareFigures(sim);
}

function totalOf(reference: Reference): number {
  return reference.users.reduce(
    (sum, user) => sum + user.available + user.spent - user.debt + reference.reservedBy(user),
    0,
  );
}
