import { allowedBatchActions, type BatchAction } from '@rowmill/contract';
import type { ActingFor } from '../../../src/core/authority.ts';
import type { Context } from '../../../src/core/context.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { forgetWork } from '../../../src/domains/batches/account-data.ts';
import { deleteOwnBatch } from '../../../src/domains/batches/lifecycle/delete.ts';
import { playOrPauseBatch } from '../../../src/domains/batches/lifecycle/play-pause.ts';
import { retryFailedRows } from '../../../src/domains/batches/lifecycle/retry.ts';
import { stopAtOnce } from '../../../src/domains/batches/lifecycle/stop.ts';
import { listQueuedSlices } from '../../../src/domains/batches/store/slices.ts';
import type { Chance } from '../chance.ts';
import { type Expected, hold } from '../expect.ts';
import {
  type Batch,
  complete,
  countOf,
  holdable,
  isDone,
  priceOf,
  release,
  take,
} from '../reference.ts';
import type { Scene } from '../scene.ts';

interface Act {
  /** What it must come to, where the table of states allows it. */
  expect(batch: Batch, situation: { queuedRows: number }): Expected;
  call(ctx: Context, acting: ActingFor, id: string): Promise<unknown>;
}

const ok: Expected = { outcome: 'ok' };

const acts = {
  play: {
    expect: (batch) => {
      if (batch.state === 'running') return ok;
      if (batch.state === 'ready' && batch.owner.owed > 0)
        return { outcome: 'insufficient_credits' };
      const left = (batch.wanted.length - batch.results.size) * priceOf(batch);
      const isDry = batch.isPartial && batch.held < priceOf(batch);
      const holdsMore = batch.state === 'ready' || batch.reason === 'needs_credits' || isDry;
      const amount = holdable(batch, holdsMore ? left - batch.held : 0, batch.isPartial);
      return amount === null
        ? { outcome: 'insufficient_credits' }
        : { outcome: 'ok', change: () => begin(batch, amount) };
    },
    call: (ctx, acting, id) => playOrPauseBatch(ctx, acting, { id, status: 'play' }),
  },
  pause: {
    expect: (batch) =>
      batch.state === 'paused' ? ok : { outcome: 'ok', change: () => pause(batch, 'person') },
    call: (ctx, acting, id) => playOrPauseBatch(ctx, acting, { id, status: 'pause' }),
  },
  stop: {
    expect: (batch, { queuedRows }) =>
      batch.state === 'stopped'
        ? ok
        : { outcome: 'ok', change: () => stop(batch, queuedRows * priceOf(batch)) },
    call: (ctx, acting, id) => stopAtOnce(ctx, acting, { id }),
  },
  retryFailed: {
    expect: (batch, { queuedRows }) => {
      if (queuedRows > 0) return { outcome: 'not_now' };
      const amount = holdable(batch, countOf(batch, 'failed') * priceOf(batch), false);
      return amount === null
        ? { outcome: 'insufficient_credits' }
        : { outcome: 'ok', change: () => retry(batch, amount) };
    },
    call: (ctx, acting, id) => retryFailedRows(ctx, acting, { id }),
  },
  delete: {
    expect: (batch) => ({ outcome: 'ok', change: () => forget(batch) }),
    call: (ctx, acting, id) => deleteOwnBatch(ctx, acting, { id }),
  },
} as const satisfies Partial<Record<BatchAction, Act>>;

export type BatchActName = keyof typeof acts;

/** Somebody does something with a batch that he sees, whether it is possible just now or not. */
export function act(name: BatchActName) {
  return async (scene: Scene, chance: Chance): Promise<string | null> => {
    const batch = chance.pick(scene.reference.shown());
    const acting = batch && chance.pick(batch.owner.actings);
    if (!batch || !acting) return null;
    return `${batch.label} (${batch.state}): ${await actOn(scene, chance, { name, batch, acting })}`;
  };
}

export async function actOn(
  { app, reference }: Scene,
  chance: Chance,
  { name, batch, acting }: { name: BatchActName; batch: Batch; acting: ActingFor },
): Promise<string> {
  const { expect, call }: Act = acts[name];
  const queuedRows = await countQueuedRows(app.ctx, batch);
  const expected = isAllowed(batch, name) ? expect(batch, { queuedRows }) : { outcome: 'not_now' };
  const outcome = await hold(app, chance, {
    expected,
    call: () => call(app.ctx, acting, batch.id),
  });
  for (const sheet of reference.sheets)
    sheet.isDeleted ||= name === 'delete' && sheet === batch.sheet && !reference.uses(sheet);
  return outcome;
}

/** An account is deleted: all of its work ends. The person walks on, for the sake of his balance. */
export async function forgetAll({ app, reference }: Scene, chance: Chance): Promise<string | null> {
  const person = chance.pick(reference.people);
  if (!person || !chance.is(0.5)) return null;
  const call = () => inTransaction(app.ctx, (inside) => forgetWork(inside, person.id));
  const change = () => {
    for (const batch of reference.shown().filter(({ owner }) => owner === person)) forget(batch);
    for (const sheet of reference.sheets.filter(({ owner }) => owner === person))
      sheet.isDeleted = true;
    for (const question of reference.questions.filter(({ owner }) => owner === person)) {
      if (question.state === 'asking') release(question);
      Object.assign(question, { state: 'failed', key: null });
    }
  };
  return hold(app, chance, { expected: { outcome: 'ok', change }, call });
}

/** What is so already stays so; anything else the table of states decides. */
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

async function countQueuedRows(ctx: Context, batch: Batch): Promise<number> {
  return (await listQueuedSlices(ctx.db, batch.id)).reduce((sum, { count }) => sum + count, 0);
}

/** It runs, and where everything is answered already, it is done in the same moment. */
export function begin(batch: Batch, amount: number): void {
  batch.sharesHold ||= batch.state === 'ready' && batch.held > 0;
  take(batch, amount);
  Object.assign(batch, { state: 'running', reason: null });
  if (isDone(batch)) complete(batch);
}

export function pause(batch: Batch, reason: NonNullable<Batch['reason']>): void {
  Object.assign(batch, { state: 'paused', reason });
}

function stop(batch: Batch, keep: number): void {
  release(batch, keep);
  Object.assign(batch, { state: 'stopped', reason: null });
}

/** What a stop has left unasked stays unasked. */
function retry(batch: Batch, amount: number): void {
  if (batch.state === 'stopped' || batch.hasSelection) {
    batch.wanted = [...batch.results.keys()].sort((a, b) => a - b);
    batch.hasSelection = true;
  }
  for (const [row, state] of batch.results) if (state === 'failed') batch.results.delete(row);
  batch.isPartial = false;
  begin(batch, amount);
}

function forget(batch: Batch): void {
  release(batch);
  if (batch.state === 'running' || batch.state === 'paused' || batch.state === 'ready')
    stop(batch, 0);
  batch.isDeleted = true;
}
