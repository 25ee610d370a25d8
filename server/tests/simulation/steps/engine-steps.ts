import {
  pauseByEngine,
  resumeAfterOutage,
} from '../../../src/domains/batches/lifecycle/engine-pause.ts';
import { storeResults } from '../../../src/domains/batches/results/store-results.ts';
import { fetchSlice, finishSlice } from '../../../src/domains/batches/slices/lease.ts';
import {
  recoverBatches,
  returnAbandonedReservations,
} from '../../../src/domains/batches/slices/recover.ts';
import { reservedConstraint } from '../../../src/domains/batches/store/change-results.ts';
import type { RowResult } from '../../../src/domains/batches/store/results.ts';
import { listQueuedSlices } from '../../../src/domains/batches/store/slices.ts';
import { longestAsk } from '../../../src/domains/prompts/chat-request.ts';
import { minute } from '../../../src/lib/clock.ts';
import { type ExpectedOutcome, expectCall, Mismatch } from '../expect.ts';
import type { Random } from '../random.ts';
import {
  type Batch,
  chargeAnswers,
  complete,
  isBlankRow,
  isDone,
  returnReserved,
  takenBy,
} from '../reference.ts';
import type { LeasedSlice, Simulation } from '../simulation-state.ts';
import { pause } from './batch-steps.ts';

/** A worker leases a slice. One of a batch that no longer runs is empty. */
export async function lease(sim: Simulation, random: Random): Promise<string | null> {
  const { app, reference, leased } = sim;
  const job = random.pick(app.queue.jobs);
  const batch = reference.batches.find(({ id }) => id === job?.batchId);
  if (!job || !batch) return null;
  app.queue.lease(job);
  const taken = await fetchSlice(app.ctx, job);
  const blank = new Set(taken?.unasked.map(({ row }) => row));
  const rows = taken ? [...taken.rows.map(({ row }) => row), ...blank] : [];
  const isWrong = rows.some((row) => !batch.wanted.includes(row) || batch.results.has(row));
  if (isWrong || (taken && batch.state !== 'running'))
    throw new Mismatch('a slice contains rows that must not be asked');
  if (rows.some((row) => isBlankRow(batch, row) !== blank.has(row)))
    throw new Mismatch('a row is blank by mistake, or not blank');
  const open = rows.map((row) => ({ row, isBlank: blank.has(row) }));
  leased.push({ lease: job.lease, batch, first: job.first, open, isCut: taken === null });
  return `${batch.label} from ${job.first}: ${taken ? `${rows.length} rows` : 'nothing'}`;
}

/** Stores results of one slice, or of two of the same batch. */
export async function storeSome(sim: Simulation, random: Random): Promise<string | null> {
  const slice = random.pick(sim.leased.filter(({ open }) => open.length > 0));
  if (!slice) return null;
  const others = sim.leased.filter(
    (other) => other !== slice && other.batch === slice.batch && other.open.length > 0,
  );
  const slices = random.chance(0.3) ? [slice, ...others.slice(0, 1)] : [slice];
  const chosen = new Map(
    slices.map((one) => [one, random.chance(0.4) ? one.open : random.some(one.open)]),
  );
  const results = [...chosen.values()]
    .flat()
    .map(({ row, isBlank }) =>
      isBlank ? skipped(row) : resultOf(row, random.chance(0.75), random),
    );
  const outcome = await storeInto(sim, random, { batch: slice.batch, results });
  if (outcome === 'crash') return 'crash';
  for (const [one, rows] of chosen) {
    one.open = one.open.filter((row) => !rows.includes(row));
    one.isCut ||= outcome !== 'ok';
  }
  return `${slice.batch.label} (${slice.batch.state}), ${results.length} rows: ${outcome}`;
}

/** A worker presumed dead stores results again, possibly with other outcomes. */
export async function storeAgain(sim: Simulation, random: Random): Promise<string | null> {
  const again = random.pick(sim.stored);
  if (!again) return null;
  const results = random
    .some(again.results)
    .map(({ row, state }) =>
      state === 'skipped' ? skipped(row) : resultOf(row, random.chance(0.5), random),
    );
  const outcome = await storeInto(sim, random, { batch: again.batch, results });
  return `${again.batch.label} (${again.batch.state}), ${results.length} rows: ${outcome}`;
}

function resultOf(row: number, isAnswered: boolean, random: Random): RowResult {
  // More than the most may be reserved for; none when the provider counts none.
  const tokens = random.chance(0.8)
    ? { input_tokens: random.below(100), output_tokens: random.below(60) }
    : { estimated_tokens: random.below(160) };
  if (isAnswered) return { row, state: 'answered', answer: 'Yes.', problem: null, ...tokens };
  return { row, state: 'failed', answer: null, problem: 'No.' };
}

function skipped(row: number): RowResult {
  return { row, state: 'skipped', answer: null, problem: 'Empty.' };
}

interface Storing {
  batch: Batch;
  results: RowResult[];
}

/** Stores results as the engine does: a batch with too small a reservation is paused. */
async function storeInto(
  { app, stored }: Simulation,
  random: Random,
  { batch, results }: Storing,
): Promise<string> {
  const call = () => storeResults(app.ctx, { batchId: batch.id, results });
  const outcome = await expectCall(app, random, {
    expected: expectStore({ batch, results }),
    call,
  });
  if (outcome === reservedConstraint) {
    await pauseByEngine(app.ctx, { batchId: batch.id, reason: 'needs_credits' });
    if (batch.state === 'running') pause(batch, 'needs_credits');
  }
  stored.unshift({ batch, results });
  stored.splice(20);
  return outcome;
}

function expectStore({ batch, results }: Storing): ExpectedOutcome {
  const fresh = new Map<number, RowResult>();
  for (const result of results) {
    const isNew =
      !batch.isDeleted && batch.wanted.includes(result.row) && !batch.results.has(result.row);
    if (isNew && !fresh.has(result.row)) fresh.set(result.row, result);
  }
  const answers = [...fresh.values()].filter(({ state }) => state === 'answered');
  const tokens = answers.map(tokensOf);
  if (takenBy(batch, tokens) > batch.reserved) return { outcome: reservedConstraint };
  const change = () => {
    for (const [row, { state }] of fresh) batch.results.set(row, state);
    chargeAnswers(batch, tokens);
    if ((batch.state === 'running' || batch.state === 'paused') && isDone(batch)) complete(batch);
  };
  return { outcome: 'ok', change };
}

function tokensOf({ input_tokens: input, output_tokens: output, estimated_tokens }: RowResult) {
  return input == null || output == null ? (estimated_tokens ?? 0) : input + output;
}

/** A worker abandons a slice because its batch stopped or the worker shuts down. */
export async function abandonSlice({ leased }: Simulation, random: Random): Promise<string | null> {
  const slice = random.pick(
    leased.filter(
      ({ batch, open }) => open.length > 0 && (batch.state !== 'running' || random.chance(0.1)),
    ),
  );
  if (!slice) return null;
  const text = `${slice.batch.label} from ${slice.first}: ${slice.open.length} rows`;
  Object.assign(slice, { open: [], isCut: true });
  return text;
}

export async function releaseNext(sim: Simulation, random: Random): Promise<string | null> {
  const slice = random.pick(sim.leased.filter(({ open }) => open.length === 0));
  return slice ? finishLeasedSlice(sim, random, slice) : null;
}

async function finishLeasedSlice(
  { app, leased }: Simulation,
  random: Random,
  slice: LeasedSlice,
): Promise<string> {
  const { batch, first, lease, isCut } = slice;
  const isOurs = app.queue.isLeasedBy(lease);
  const call = () => finishSlice(app.ctx, { batchId: batch.id, first, lease, isComplete: !isCut });
  const outcome = await expectCall(app, random, { expected: { outcome: 'ok' }, call });
  if (outcome !== 'ok') return outcome;
  leased.splice(leased.indexOf(slice), 1);
  const isLast = isOurs && (await listQueuedSlices(app.ctx.db, batch.id)).length === 0;
  if (isLast && batch.state === 'stopped') returnReserved(batch);
  if (isLast && batch.state === 'running' && batch.isPartial) pause(batch, 'needs_credits');
  return `${batch.label} from ${first}${isCut ? ', cut' : ''}${isOurs ? '' : ', of another'}`;
}

/** A live worker misses its heartbeat, so another one can lease its slice, too. */
export async function leaseAgain(
  { app, leased }: Simulation,
  random: Random,
): Promise<string | null> {
  const slice = random.pick(leased.filter(({ lease }) => app.queue.isLeasedBy(lease)));
  if (!slice) return null;
  app.queue.requeue({ lease: slice.lease, batchId: slice.batch.id, first: slice.first });
  return `${slice.batch.label} from ${slice.first}`;
}

const reasons = [
  'needs_credits',
  'provider_refused',
  'request_refused',
  'provider_down',
  'storage_full',
  'no_capacity',
] as const;

export async function pauseOne(
  { app, reference }: Simulation,
  random: Random,
): Promise<string | null> {
  const batch = random.pick(reference.visibleBatches());
  const reason = random.pick(reasons);
  if (!batch || !reason) return null;
  const change = () => batch.state === 'running' && pause(batch, reason);
  const call = () => pauseByEngine(app.ctx, { batchId: batch.id, reason });
  return `${batch.label}, ${reason}: ${await expectCall(app, random, { expected: { outcome: 'ok', change }, call })}`;
}

export async function resumeAll({ app, reference }: Simulation): Promise<string> {
  await resumeAfterOutage(app.ctx, 'provider_down');
  await resumeAfterOutage(app.ctx, 'no_capacity');
  const down = reference
    .visibleBatches()
    .filter(
      ({ state, reason }) =>
        state === 'paused' && (reason === 'provider_down' || reason === 'no_capacity'),
    );
  for (const batch of down) {
    Object.assign(batch, { state: 'running', reason: null });
    const isUsedUp = batch.isPartial && batch.reserved < batch.price;
    if (isUsedUp && (await listQueuedSlices(app.ctx.db, batch.id)).length === 0)
      pause(batch, 'needs_credits');
  }
  return `${down.length} batches`;
}

/** Drops everything in memory and recovers as the only process of the embedded database does. */
export async function crash(sim: Simulation): Promise<string> {
  const { app, reference, leased, waiting } = sim;
  app.queue.clear();
  for (const list of [leased, waiting]) list.length = 0;
  await recoverBatches(app.ctx);
  for (const question of reference.questions) failUnanswered(question);
  for (const batch of reference.visibleBatches())
    if (batch.state === 'ready' || batch.state === 'stopped') returnReserved(batch);
  return 'everything in memory is gone';
}

/** Recovers prompts that are older than any caller waits. */
export async function recoverStale(
  { app, reference }: Simulation,
  random: Random,
): Promise<string> {
  const staleAfterMilliseconds = longestAsk(app.ctx) + minute;
  app.clock.advance(random.below(2 * staleAfterMilliseconds));
  await returnAbandonedReservations(app.ctx);
  const before = app.clock.now().getTime() - staleAfterMilliseconds;
  for (const question of reference.questions.filter(({ askedAt }) => askedAt < before))
    failUnanswered(question);
  for (const batch of reference.visibleBatches())
    if (batch.state === 'ready' && batch.previewedAt < before) returnReserved(batch);
  return 'recovered stale prompts';
}

function failUnanswered(question: Simulation['reference']['questions'][number]): void {
  if (question.state !== 'asking') return;
  returnReserved(question);
  question.state = 'failed';
}
