import { findBrokenInvariants } from '../../src/db/invariants.ts';
import { Difference } from './expect.ts';
import { type Batch, countOf, isBlankRow, isDone, priceOf, type Reference } from './reference.ts';
import type { Scene } from './scene.ts';

/** Holds what the product has written against what the reference say, and looks whether anything hangs. */
export async function compare(scene: Scene): Promise<void> {
  await compareAccounts(scene);
  await compareBatches(scene);
  await compareOrders(scene);
  await findWhatHangs(scene);
}

/** What is true of the reference of the product by themselves. */
export async function checkInvariants({ app }: Scene): Promise<void> {
  const broken = await findBrokenInvariants(app.ctx.db);
  if (broken.length > 0)
    throw new Difference(
      broken.map(({ invariant, ids }) => `not so: ${invariant} (${ids})`).join('; '),
    );
}

async function compareAccounts({ app, reference }: Scene): Promise<void> {
  const accounts = await app.ctx.db.selectFrom('credit_accounts').selectAll().execute();
  const known = new Map(accounts.map((account) => [account.user_id, account]));
  for (const person of reference.people) {
    const { available = 0, reserved = 0, spent = 0, debt = 0 } = known.get(person.id) ?? {};
    const expected = {
      available: person.available,
      reserved: reference.heldBy(person),
      spent: person.spent,
      debt: person.owed,
    };
    same(`the account of ${person.id}`, { available, reserved, spent, debt }, expected);
  }
}

async function compareBatches({ app, reference }: Scene): Promise<void> {
  const fields = [
    'id',
    'state',
    'pause_reason',
    'rows',
    'answered',
    'failed',
    'reserved',
    'charged',
    'is_partial',
  ] as const;
  const rows = await app.ctx.db
    .selectFrom('batches')
    .select(fields)
    .where('deleted_at', 'is', null)
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  if (known.size !== reference.shown().length)
    throw new Difference(`${known.size} batches instead of ${reference.shown().length}`);
  for (const batch of reference.shown()) same(`${batch.label}`, known.get(batch.id), rowOf(batch));
}

function rowOf(batch: Batch) {
  const { id, state, reason, wanted, held, charged, isPartial } = batch;
  const counts = {
    rows: wanted.length,
    answered: countOf(batch, 'answered'),
    failed: countOf(batch, 'failed'),
  };
  return {
    id,
    state,
    pause_reason: reason,
    ...counts,
    reserved: held,
    charged,
    is_partial: isPartial,
  };
}

async function compareOrders({ app, reference }: Scene): Promise<void> {
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

/** Every batch that runs has slices under way, each of them in the queue or in a hand, and a hold for all of their rows. */
async function findWhatHangs({ app, reference, hand }: Scene): Promise<void> {
  const running = reference.shown().filter(({ state }) => state === 'running');
  if (running.length === 0) return;
  const slices = await app.ctx.db
    .selectFrom('slices')
    .selectAll()
    .where('state', '=', 'queued')
    .execute();
  const underWay = new Set([
    ...app.queue.jobs.map(({ batchId, first }) => `${batchId} ${first}`),
    ...hand.map(({ batch, first }) => `${batch.id} ${first}`),
  ]);
  for (const batch of running) {
    const queued = slices.filter((slice) => slice.batch_id === batch.id);
    if (queued.length === 0)
      throw new Difference(`${batch.label} runs, and nothing of it is under way`);
    for (const { first } of queued) {
      if (!underWay.has(`${batch.id} ${first}`))
        throw new Difference(`the slice ${first} of ${batch.label} is lost`);
    }
    const asked = queued.flatMap(({ first, count }) => batch.wanted.slice(first, first + count));
    const open = asked.filter((row) => !batch.results.has(row) && !isBlankRow(batch, row));
    if (open.length * priceOf(batch) > batch.held && !batch.sharesHold) {
      throw new Difference(
        `${open.length} rows of ${batch.label} are asked, and ${batch.held} are held`,
      );
    }
  }
}

/** When everything has ended: every batch has the results that it should, and every submission is somewhere. */
export async function compareEnds(scene: Scene): Promise<void> {
  const { app, reference } = scene;
  for (const batch of reference.shown()) {
    if (batch.state === 'running' || batch.state === 'paused')
      throw new Difference(`${batch.label} has not ended`);
    if (batch.state === 'completed' && !isDone(batch))
      throw new Difference(`${batch.label} is not complete`);
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
  same('everything', totalOf(reference), reference.granted);
}

function totalOf(reference: Reference): number {
  return reference.people.reduce(
    (sum, person) => sum + person.available + person.spent - person.owed + reference.heldBy(person),
    0,
  );
}

function same(what: string, found: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
  if (is !== should) throw new Difference(`${what} is ${is} instead of ${should}`);
}
