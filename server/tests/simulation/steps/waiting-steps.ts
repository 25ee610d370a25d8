import { askChat } from '../../../src/domains/batches/ask-chat.ts';
import type { ChatOutcome } from '../../../src/engine/port.ts';
import type { Chance } from '../chance.ts';
import { Difference, outcomeOf } from '../expect.ts';
import {
  type Batch,
  complete,
  holdable,
  isBlankRow,
  isDone,
  priceOf,
  type Question,
  release,
  spend,
  take,
} from '../reference.ts';
import type { Scene, WaitingWork } from '../scene.ts';
import { type ModelName, prices } from '../simulated-app.ts';
import { choosePlan, findReady, newBatch, type Plan } from './ask-steps.ts';

const models = Object.keys(prices) as ModelName[];
const keys = ['ask-1', 'ask-2', 'ask-3'];
/** An answer, and every way to have none. */
const outcomes: readonly ChatOutcome[] = [
  { kind: 'answered', text: 'Yes.' },
  { kind: 'row_refused', reason: 'Filtered.' },
  { kind: 'try_later', retryAt: null, reason: 'Too many.' },
  { kind: 'broken', reason: 'Reset.' },
  { kind: 'provider_refused', reason: 'No quota.' },
  { kind: 'aborted' },
];

interface Beginning {
  expected: string;
  calls: number;
  work: () => Promise<unknown>;
}

/** Runs a piece of work until it waits for the model, or ends before. Gives what waits. */
async function beginWaiting(
  { app }: Scene,
  chance: Chance,
  { expected, calls: count, work }: Beginning,
) {
  if (chance.is(0.04)) app.faults.arm(chance.below(2));
  const end = outcomeOf(work());
  const calls = await app.chat.callsOf(end, count);
  app.faults.disarm();
  const outcome = calls.length > 0 ? 'asks' : (await end).outcome;
  if (outcome !== 'crash' && outcome !== expected)
    throw new Difference(`answered ${outcome} instead of ${expected}`);
  if (calls.length > 0 && calls.length !== count)
    throw new Difference(`${calls.length} calls instead of ${count}`);
  return { outcome, calls, end };
}

export async function askQuestion(scene: Scene, chance: Chance): Promise<string | null> {
  const { app, reference, waiting } = scene;
  const owner = chance.pick(reference.people);
  const acting = owner && chance.pick(owner.actings);
  if (!owner || !acting) return null;
  const model = chance.pick(models) ?? 'fair';
  const key = chance.is(0.2) ? (chance.pick(keys) ?? null) : null;
  const earlier = reference.questions.find(
    (question) => key && question.owner === owner && question.key === key,
  );
  const expected = earlier
    ? again[earlier.state]
    : owner.available < prices[model] || owner.owed > 0
      ? 'insufficient_credits'
      : 'asks';
  const ctx = key ? { ...app.ctx, idempotencyKey: key } : app.ctx;
  const work = () => askChat(ctx, acting, { question: 'Why?', query: { model } });
  const { outcome, calls, end } = await beginWaiting(scene, chance, { expected, calls: 1, work });
  if (outcome === 'asks') {
    const question: Question = {
      owner,
      key,
      held: 0,
      state: 'asking',
      askedAt: app.clock.now().getTime(),
    };
    take(question, prices[model]);
    reference.questions.push(question);
    waiting.push({ calls, end, of: { question } });
  }
  return `${model}${key ? `, ${key}` : ''}: ${outcome}`;
}

/** What a question under a key that has asked already comes to. */
const again = { asking: 'busy', answered: 'ok', failed: 'model_failed' } as const;

export async function askPreview(scene: Scene, chance: Chance): Promise<string | null> {
  const chosen = await choosePlan(scene, chance);
  if (!chosen) return null;
  const { app, reference, waiting } = scene;
  const size = chosen.plan.sheet.asks.length;
  const plan = { ...chosen.plan, wanted: Array.from({ length: size }, (_, row) => row) };
  const preview = 1 + chance.below(5);
  const rows = chance.is(0.3)
    ? Array.from({ length: 1 + chance.below(6) }, () => chance.below(size + 3))
    : undefined;
  const ready = findReady(scene, plan);
  const asked = askedRows(plan, rows?.slice(0, preview) ?? plan.wanted.slice(0, 256), preview);
  const open = asked.filter((row) => !ready?.results.has(row));
  const amount = holdable(plan, open.length * priceOf(plan), false);
  const expected = expectPreview(plan, { rows, calls: open.length, amount });
  const request = {
    questionWithVariable: plan.question,
    query: { file: plan.sheet.id, preview, rows, model: plan.model },
  };
  const work = () => askChat(app.ctx, chosen.acting, request);
  const { outcome, calls, end } = await beginWaiting(scene, chance, {
    expected,
    calls: open.length,
    work,
  });
  if (outcome === 'asks' || outcome === 'ok') {
    const batch = ready ?? reference.add(newBatch(plan, await newestBatchOf(scene, plan)));
    take(batch, amount ?? 0);
    batch.previewedAt = app.clock.now().getTime();
    if (outcome === 'asks')
      waiting.push({ calls, end, of: { preview: batch, rows: open, held: amount ?? 0 } });
  }
  return `${open.length} rows of ${size}, ${plan.model}: ${outcome}`;
}

function expectPreview(
  plan: Plan,
  { rows, calls, amount }: { rows?: number[] | undefined; calls: number; amount: number | null },
): string {
  if (plan.sheet.isDeleted) return 'not_found';
  if (rows?.every((row) => row >= plan.sheet.asks.length)) return 'invalid_input';
  if (amount === null || plan.owner.owed > 0) return 'insufficient_credits';
  return calls > 0 ? 'asks' : 'ok';
}

function askedRows(plan: Plan, rows: readonly number[], count: number): number[] {
  const inSheet = [...new Set(rows)].filter((row) => row < plan.sheet.asks.length);
  return inSheet.filter((row) => !isBlankRow(plan, row)).slice(0, count);
}

async function newestBatchOf({ app }: Scene, { sheet }: Plan): Promise<string> {
  const newest = app.ctx.db
    .selectFrom('batches')
    .select('id')
    .where('sheet_id', '=', sheet.id)
    .orderBy('created_at', 'desc');
  return (await newest.limit(1).executeTakeFirstOrThrow()).id;
}

/** The model answers what waits for it, or does not. */
export async function answerWaiting(scene: Scene, chance: Chance): Promise<string | null> {
  const work = chance.pick(scene.waiting);
  if (!work) return null;
  scene.waiting.splice(scene.waiting.indexOf(work), 1);
  const given = work.calls.map(
    () => (chance.is(0.6) ? outcomes[0] : chance.pick(outcomes)) ?? { kind: 'aborted' as const },
  );
  if (chance.is(0.04)) scene.app.faults.arm(chance.below(2));
  for (const [index, call] of work.calls.entries())
    call.answer(given[index] ?? { kind: 'aborted' });
  const { outcome } = await work.end;
  scene.app.faults.disarm();
  const isAnswered = given.map(({ kind }) => kind === 'answered');
  const now = scene.app.clock.now().getTime();
  if (outcome !== 'crash') endWork(work.of, { outcome, isAnswered, now });
  return `${isAnswered.filter(Boolean).length} of ${given.length} answered: ${outcome}`;
}

interface End {
  outcome: string;
  isAnswered: boolean[];
  now: number;
}

function endWork(of: WaitingWork['of'], { outcome, isAnswered, now }: End): void {
  const expected = 'preview' in of || isAnswered[0] ? 'ok' : 'model_failed';
  if (outcome !== expected) throw new Difference(`answered ${outcome} instead of ${expected}`);
  if ('preview' in of) endPreview(of.preview, { ...of, now }, isAnswered);
  else endQuestion(of.question, isAnswered[0] === true);
}

/** One that was ended by somebody else meanwhile moves nothing. */
function endQuestion(question: Question, isAnswered: boolean): void {
  if (question.state !== 'asking') return;
  if (isAnswered) spend(question, question.held);
  else release(question);
  question.state = isAnswered ? 'answered' : 'failed';
}

/** Settling moves a mark that is older than this. */
const markEvery = 10_000;

/** Answers are kept as far as the batch still wants them and holds enough for them; the rest of the hold returns. */
function endPreview(
  batch: Batch,
  { rows, held, now }: { rows: number[]; held: number; now: number },
  isAnswered: boolean[],
): void {
  const isOpen = !batch.isDeleted && ['ready', 'running', 'paused'].includes(batch.state);
  const fresh = isOpen
    ? rows.filter((row, index) => isAnswered[index] && !batch.results.has(row))
    : [];
  const covered = priceOf(batch) === 0 ? fresh.length : Math.floor(batch.held / priceOf(batch));
  let left = held;
  for (const row of fresh.slice(0, covered)) {
    if (!batch.wanted.includes(row)) continue;
    batch.results.set(row, 'answered');
    spend(batch, priceOf(batch));
    batch.charged += priceOf(batch);
    left -= priceOf(batch);
  }
  if (isOpen && batch.previewedAt < now - markEvery) batch.previewedAt = now;
  if (batch.state === 'ready') release(batch, batch.held - Math.min(batch.held, left));
  else if (isOpen && isDone(batch)) complete(batch);
}
