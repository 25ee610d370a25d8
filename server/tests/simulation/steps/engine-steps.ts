import {
  pauseByEngine,
  resumeAfterOutage,
} from '../../../src/domains/batches/lifecycle/engine-pause.ts';
import { settleRows } from '../../../src/domains/batches/results/store-results.ts';
import { endSlice, takeSlice } from '../../../src/domains/batches/slices/lease.ts';
import { rescueBatches, rescueQuestions } from '../../../src/domains/batches/slices/recover.ts';
import type { RowResult } from '../../../src/domains/batches/store/results.ts';
import { listQueuedSlices } from '../../../src/domains/batches/store/slices.ts';
import type { Chance } from '../chance.ts';
import { Difference, type Expected, hold } from '../expect.ts';
import { type Batch, complete, isBlankRow, isDone, priceOf, release, spend } from '../reference.ts';
import type { LeasedSlice, Scene } from '../scene.ts';
import { pause } from './batch-steps.ts';

/** A worker takes a slice off the queue. One that is not wanted any more it lays down at once. */
export async function claim(scene: Scene, chance: Chance): Promise<string | null> {
  const { app, reference, hand } = scene;
  const job = chance.pick(app.queue.jobs);
  const batch = reference.batches.find(({ id }) => id === job?.batchId);
  if (!job || !batch) return null;
  app.queue.take(job);
  const taken = await takeSlice(app.ctx, job);
  const blank = new Set(taken?.unasked.map(({ row }) => row));
  const rows = taken ? [...taken.rows.map(({ row }) => row), ...blank] : [];
  const isWrong = rows.some((row) => !batch.wanted.includes(row) || batch.results.has(row));
  if (isWrong || (taken && batch.state !== 'running'))
    throw new Difference('a slice holds rows that are not to be asked');
  if (rows.some((row) => isBlankRow(batch, row) !== blank.has(row)))
    throw new Difference('a row is blank, or is not');
  const open = rows.map((row) => ({ row, isBlank: blank.has(row) }));
  hand.push({ claim: job.claim, batch, first: job.first, open, isCut: taken === null });
  return `${batch.label} from ${job.first}: ${taken ? `${rows.length} rows` : 'nothing'}`;
}

/** Results come in, of one slice or of two of the same batch. */
export async function settle(scene: Scene, chance: Chance): Promise<string | null> {
  const slice = chance.pick(scene.hand.filter(({ open }) => open.length > 0));
  if (!slice) return null;
  const others = scene.hand.filter(
    (other) => other !== slice && other.batch === slice.batch && other.open.length > 0,
  );
  const slices = chance.is(0.3) ? [slice, ...others.slice(0, 1)] : [slice];
  const chosen = new Map(
    slices.map((one) => [one, chance.is(0.4) ? one.open : chance.some(one.open)]),
  );
  const results = [...chosen.values()]
    .flat()
    .map(({ row, isBlank }) => resultOf(row, !isBlank && chance.is(0.75)));
  const outcome = await settleInto(scene, chance, { batch: slice.batch, results });
  if (outcome === 'crash') return 'crash';
  for (const [one, rows] of chosen) {
    one.open = one.open.filter((row) => !rows.includes(row));
    one.isCut ||= outcome !== 'ok';
  }
  return `${slice.batch.label} (${slice.batch.state}), ${results.length} rows: ${outcome}`;
}

/** A worker that was taken for dead settles what another one has settled, perhaps with other results. */
export async function settleAgain(scene: Scene, chance: Chance): Promise<string | null> {
  const again = chance.pick(scene.settled);
  if (!again) return null;
  const results = chance.some(again.results).map(({ row }) => resultOf(row, chance.is(0.5)));
  const outcome = await settleInto(scene, chance, { batch: again.batch, results });
  return `${again.batch.label} (${again.batch.state}), ${results.length} rows: ${outcome}`;
}

function resultOf(row: number, isAnswered: boolean): RowResult {
  if (isAnswered) return { row, state: 'answered', answer: 'Yes.', problem: null };
  return { row, state: 'failed', answer: null, problem: 'No.' };
}

interface Settling {
  batch: Batch;
  results: RowResult[];
}

/** Settles as the engine does: where too little is held, the batch waits for more. */
async function settleInto(
  { app, settled }: Scene,
  chance: Chance,
  { batch, results }: Settling,
): Promise<string> {
  const call = () => settleRows(app.ctx, { batchId: batch.id, results });
  const outcome = await hold(app, chance, { expected: expectSettle({ batch, results }), call });
  if (outcome === 'batches_held') {
    await pauseByEngine(app.ctx, { batchId: batch.id, reason: 'needs_credits' });
    if (batch.state === 'running') pause(batch, 'needs_credits');
  }
  settled.unshift({ batch, results });
  settled.splice(20);
  return outcome;
}

function expectSettle({ batch, results }: Settling): Expected {
  const fresh = new Map<number, RowResult>();
  for (const result of results) {
    const isNew =
      !batch.isDeleted && batch.wanted.includes(result.row) && !batch.results.has(result.row);
    if (isNew && !fresh.has(result.row)) fresh.set(result.row, result);
  }
  const charge =
    [...fresh.values()].filter(({ state }) => state === 'answered').length * priceOf(batch);
  if (charge > batch.held) return { outcome: 'batches_held' };
  const change = () => {
    for (const [row, { state }] of fresh) batch.results.set(row, state);
    spend(batch, charge);
    batch.charged += charge;
    if ((batch.state === 'running' || batch.state === 'paused') && isDone(batch)) complete(batch);
  };
  return { outcome: 'ok', change };
}

/** Its batch does not run any more, or the worker shuts down. */
export async function giveUp({ hand }: Scene, chance: Chance): Promise<string | null> {
  const slice = chance.pick(
    hand.filter(
      ({ batch, open }) => open.length > 0 && (batch.state !== 'running' || chance.is(0.1)),
    ),
  );
  if (!slice) return null;
  const text = `${slice.batch.label} from ${slice.first}: ${slice.open.length} rows`;
  Object.assign(slice, { open: [], isCut: true });
  return text;
}

export async function layDown(scene: Scene, chance: Chance): Promise<string | null> {
  const slice = chance.pick(scene.hand.filter(({ open }) => open.length === 0));
  return slice ? layDownSlice(scene, chance, slice) : null;
}

export async function layDownSlice(
  { app, hand }: Scene,
  chance: Chance,
  slice: LeasedSlice,
): Promise<string> {
  const { batch, first, claim, isCut } = slice;
  const isOurs = app.queue.isHeldBy(claim);
  const call = () => endSlice(app.ctx, { batchId: batch.id, first, claim, isComplete: !isCut });
  const outcome = await hold(app, chance, { expected: { outcome: 'ok' }, call });
  if (outcome !== 'ok') return outcome;
  hand.splice(hand.indexOf(slice), 1);
  const isLast = isOurs && (await listQueuedSlices(app.ctx.db, batch.id)).length === 0;
  if (isLast && batch.state === 'stopped') release(batch);
  if (isLast && batch.state === 'running' && batch.isPartial) pause(batch, 'needs_credits');
  return `${batch.label} from ${first}${isCut ? ', cut' : ''}${isOurs ? '' : ', of another'}`;
}

/** The heartbeat of a worker that lives is missed: somebody else gets its slice as well. */
export async function deliverAgain({ app, hand }: Scene, chance: Chance): Promise<string | null> {
  const slice = chance.pick(hand.filter(({ claim }) => app.queue.isHeldBy(claim)));
  if (!slice) return null;
  app.queue.giveAgain({ claim: slice.claim, batchId: slice.batch.id, first: slice.first });
  return `${slice.batch.label} from ${slice.first}`;
}

const reasons = ['needs_credits', 'provider_refused', 'provider_down', 'storage_full'] as const;

export async function pauseOne({ app, reference }: Scene, chance: Chance): Promise<string | null> {
  const batch = chance.pick(reference.shown());
  const reason = chance.pick(reasons);
  if (!batch || !reason) return null;
  const change = () => batch.state === 'running' && pause(batch, reason);
  const call = () => pauseByEngine(app.ctx, { batchId: batch.id, reason });
  return `${batch.label}, ${reason}: ${await hold(app, chance, { expected: { outcome: 'ok', change }, call })}`;
}

export async function resumeAll({ app, reference }: Scene): Promise<string> {
  await resumeAfterOutage(app.ctx);
  const down = reference
    .shown()
    .filter(({ state, reason }) => state === 'paused' && reason === 'provider_down');
  for (const batch of down) {
    Object.assign(batch, { state: 'running', reason: null });
    const isUsedUp = batch.isPartial && batch.held < priceOf(batch);
    if (isUsedUp && (await listQueuedSlices(app.ctx.db, batch.id)).length === 0)
      pause(batch, 'needs_credits');
  }
  return `${down.length} batches`;
}

/** Whatever was in memory is gone; a new process, which knows that it is alone, puts things in order. */
export async function crash(scene: Scene): Promise<string> {
  const { app, reference, hand, waiting } = scene;
  app.queue.clear();
  for (const list of [hand, waiting]) list.length = 0;
  await rescueBatches(app.ctx);
  for (const question of reference.questions) endUnasked(question);
  for (const batch of reference.shown())
    if (batch.state === 'ready' || batch.state === 'stopped') release(batch);
  return 'everything in memory is gone';
}

const patienceMilliseconds = 180_000;

/** Nobody says that an asker has died; but after so long, nobody can still be waiting. */
export async function rescueLate({ app, reference }: Scene, chance: Chance): Promise<string> {
  app.clock.advance(chance.below(2 * patienceMilliseconds));
  await rescueQuestions(app.ctx);
  const before = app.clock.now().getTime() - patienceMilliseconds;
  for (const question of reference.questions.filter(({ askedAt }) => askedAt < before))
    endUnasked(question);
  for (const batch of reference.shown())
    if (batch.state === 'ready' && batch.previewedAt < before) release(batch);
  return 'what nobody waits for any more';
}

function endUnasked(question: Scene['reference']['questions'][number]): void {
  if (question.state !== 'asking') return;
  release(question);
  question.state = 'failed';
}
