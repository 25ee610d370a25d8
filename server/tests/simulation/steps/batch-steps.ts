import { allowedBatchActions, type BatchAction, temporaryPauses } from '@rowmill/contract';
import type { ActingFor } from '../../../src/core/authority.ts';
import type { Context } from '../../../src/core/context.ts';
import { type Db, inTransaction } from '../../../src/db/transaction.ts';
import { deleteWork } from '../../../src/domains/batches/delete-work.ts';
import { deleteOwnBatch } from '../../../src/domains/batches/lifecycle/delete.ts';
import { playOrPauseBatch } from '../../../src/domains/batches/lifecycle/play-pause.ts';
import { retryFailedRows } from '../../../src/domains/batches/lifecycle/retry.ts';
import { stopWithoutWaiting } from '../../../src/domains/batches/lifecycle/stop.ts';
import { listQueuedSlices } from '../../../src/domains/batches/store/slices.ts';
import { type ExpectedOutcome, expectCall } from '../expect.ts';
import type { Random } from '../random.ts';
import {
  type Batch,
  complete,
  countOf,
  isDone,
  reservable,
  reserveForBatch,
  returnReserved,
  rowsToPay,
} from '../reference.ts';
import type { SimulatedApp } from '../simulated-app.ts';
import type { Simulation } from '../simulation-state.ts';

interface QueuedRows {
  queuedRows: number;
  /** Those that a worker has, or had when it was presumed dead. */
  takenRows: number;
}

interface BatchAct {
  /** The expected outcome if the state table allows the action. */
  expect(batch: Batch, rows: QueuedRows): ExpectedOutcome;
  call(ctx: Context, acting: ActingFor, id: string): Promise<unknown>;
}

const ok: ExpectedOutcome = { outcome: 'ok' };

const acts = {
  play: {
    expect: (batch) => {
      if (batch.state === 'running') return ok;
      if (batch.state === 'ready' && batch.owner.debt > 0)
        return { outcome: 'insufficient_credits' };
      const isEmpty = batch.isPartial && batch.reserved < batch.price;
      const reservesMore = batch.state === 'ready' || batch.reason === 'needs_credits' || isEmpty;
      const amount = reservable(batch, reservesMore ? missing(batch) : 0, batch.isPartial);
      return amount === null
        ? { outcome: 'insufficient_credits' }
        : { outcome: 'ok', change: () => startOrResume(batch, amount) };
    },
    call: (ctx, acting, id) => playOrPauseBatch(ctx, acting, { id, status: 'play' }),
  },
  pause: {
    expect: (batch) =>
      batch.state === 'paused' && !temporaryPauses.includes(batch.reason)
        ? ok
        : { outcome: 'ok', change: () => pause(batch, 'person') },
    call: (ctx, acting, id) => playOrPauseBatch(ctx, acting, { id, status: 'pause' }),
  },
  stop: {
    expect: (batch, { takenRows }) =>
      batch.state === 'stopped'
        ? ok
        : { outcome: 'ok', change: () => stop(batch, takenRows * batch.price) },
    call: (ctx, acting, id) => stopWithoutWaiting(ctx, acting, { id }),
  },
  retryFailed: {
    expect: (batch, { queuedRows }) => {
      if (queuedRows > 0) return { outcome: 'not_now' };
      const amount = reservable(batch, countOf(batch, 'failed') * batch.price, false);
      return amount === null
        ? { outcome: 'insufficient_credits' }
        : { outcome: 'ok', change: () => retry(batch, amount) };
    },
    call: (ctx, acting, id) => retryFailedRows(ctx, acting, { id }),
  },
  delete: {
    expect: (batch) => ({ outcome: 'ok', change: () => deleteBatch(batch) }),
    call: (ctx, acting, id) => deleteOwnBatch(ctx, acting, { id }),
  },
} as const satisfies Partial<Record<BatchAction, BatchAct>>;

export type BatchActName = keyof typeof acts;

/** Does something with any batch, possible or not. */
export function act(name: BatchActName) {
  return async (sim: Simulation, random: Random): Promise<string | null> => {
    const batch = random.pick(sim.reference.visibleBatches());
    const acting = batch && random.pick(batch.owner.actors);
    if (!batch || !acting) return null;
    return `${batch.label} (${batch.state}): ${await actOn(sim, random, { name, batch, acting })}`;
  };
}

export async function actOn(
  { app, reference }: Simulation,
  random: Random,
  { name, batch, acting }: { name: BatchActName; batch: Batch; acting: ActingFor },
): Promise<string> {
  const { expect, call }: BatchAct = acts[name];
  const rows = await countQueuedRows(app, batch);
  const expected = isAllowed(batch, name) ? expect(batch, rows) : { outcome: 'not_now' };
  const outcome = await expectCall(app, random, {
    expected,
    call: () => call(app.ctx, acting, batch.id),
  });
  for (const sheet of reference.sheets)
    sheet.isDeleted ||= name === 'delete' && sheet === batch.sheet && !reference.uses(sheet);
  return outcome;
}

/** Ends all work of a user, as deleting the account does. The user stays, to check the balance. */
export async function deleteAllWork(
  { app, reference }: Simulation,
  random: Random,
): Promise<string | null> {
  const user = random.pick(reference.users);
  if (!user || !random.chance(0.5)) return null;
  const call = () =>
    inTransaction(app.ctx, async (inside) => {
      await clearPromptCosts(inside.db, user.id);
      await deleteWork(inside, user.id);
    });
  const change = () => {
    for (const batch of reference.visibleBatches().filter(({ owner }) => owner === user))
      deleteBatch(batch);
    for (const sheet of reference.sheets.filter(({ owner }) => owner === user))
      sheet.isDeleted = true;
    for (const question of reference.questions.filter(({ owner }) => owner === user)) {
      if (question.state === 'asking') returnReserved(question);
      Object.assign(question, { state: 'failed', key: null });
    }
  };
  return expectCall(app, random, { expected: { outcome: 'ok', change }, call });
}

/**
 * The product deletes the person with the work, and then no check counts the stored costs of the
 * prompts. Here the person stays.
 */
async function clearPromptCosts(db: Db, userId: string): Promise<void> {
  const tokens = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };
  await db
    .updateTable('single_prompts')
    .set({ state: 'failed', charged: 0, cost: 0, ...tokens })
    .where('user_id', '=', userId)
    .where('state', '<>', 'asking')
    .execute();
}

/** Requesting the current state is allowed; the state table decides about the rest. */
function isAllowed(batch: Batch, name: BatchActName): boolean {
  const targets: Partial<Record<BatchActName, Batch['state']>> = {
    play: 'running',
    pause: 'paused',
    stop: 'stopped',
  };
  if (targets[name] === batch.state) return true;
  const allowed: readonly BatchAction[] = allowedBatchActions[batch.state];
  return allowed.includes(name) && (name !== 'retryFailed' || countOf(batch, 'failed') > 0);
}

async function countQueuedRows({ ctx, queue }: SimulatedApp, batch: Batch): Promise<QueuedRows> {
  const slices = await listQueuedSlices(ctx.db, batch.id);
  const taken = slices.filter((slice) => !queue.isWaiting({ ...slice, batchId: batch.id }));
  const rowsOf = (some: typeof slices) => some.reduce((sum, { count }) => sum + count, 0);
  return { queuedRows: rowsOf(slices), takenRows: rowsOf(taken) };
}

/** Starts or resumes a batch, which completes at once if every row has a result. */
export function startOrResume(batch: Batch, amount: number): void {
  batch.sharesReservation ||= batch.state === 'ready' && batch.reserved > 0;
  reserveForBatch(batch, amount);
  Object.assign(batch, { state: 'running', reason: null });
  if (isDone(batch)) complete(batch);
}

export function pause(batch: Batch, reason: NonNullable<Batch['reason']>): void {
  Object.assign(batch, { state: 'paused', reason });
}

function stop(batch: Batch, keep: number): void {
  returnReserved(batch, keep);
  Object.assign(batch, { state: 'stopped', reason: null });
}

/** A batch that seems to have enough, but was paused for submissions, reserves for all rows. */
function missing(batch: Batch): number {
  const { wanted, results, price, reserved } = batch;
  const needed = rowsToPay(batch) * price - reserved;
  if (needed > 0 || batch.state === 'ready') return needed;
  const open = wanted.length - results.size - (batch.isPartial ? batch.freeAtEnd : 0);
  return Math.max(0, open) * price - reserved;
}

/** Rows that a stop left unasked are not retried. */
function retry(batch: Batch, amount: number): void {
  if (batch.state === 'stopped' || batch.hasSelection) {
    batch.wanted = [...batch.results.keys()].sort((a, b) => a - b);
    batch.hasSelection = true;
  }
  for (const [row, state] of batch.results) if (state === 'failed') batch.results.delete(row);
  batch.isPartial = false;
  startOrResume(batch, amount);
}

function deleteBatch(batch: Batch): void {
  returnReserved(batch);
  if (batch.state === 'running' || batch.state === 'paused' || batch.state === 'ready')
    stop(batch, 0);
  batch.isDeleted = true;
}
