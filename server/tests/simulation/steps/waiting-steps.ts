import { askChat } from '../../../src/domains/batches/ask-chat.ts';
import type { ChatOutcome } from '../../../src/engine/port.ts';
import { Mismatch, outcomeOf } from '../expect.ts';
import type { Random } from '../random.ts';
import {
  type Batch,
  chargeAnswers,
  chargeOf,
  chargeReserved,
  complete,
  isBlankRow,
  isDone,
  mostOf,
  mostOfRows,
  type Question,
  reservable,
  reserve,
  reserveForBatch,
  returnReserved,
} from '../reference.ts';
import { type ModelName, prices } from '../simulated-app.ts';
import type { Simulation, WaitingWork } from '../simulation-state.ts';
import { choosePlan, deadlineOf, findReady, newBatch, type Plan } from './ask-steps.ts';

const models = Object.keys(prices) as ModelName[];
const keys = ['ask-1', 'ask-2', 'ask-3'];
const prompt = 'Why?';
/** All outcomes of a call. */
const outcomes: readonly ChatOutcome[] = [
  { kind: 'answered', text: 'Yes.' },
  { kind: 'answered', text: 'No.', tokens: { input: 30, cached: 0, output: 25, reasoning: 0 } },
  { kind: 'row_refused', reason: 'Filtered.' },
  { kind: 'try_later', retryAt: null, reason: 'Too many.' },
  { kind: 'broken', reason: 'Reset.' },
  { kind: 'provider_refused', reason: 'No quota.' },
  { kind: 'aborted' },
];

interface WaitingCallOptions {
  expected: string;
  calls: number;
  work: () => Promise<unknown>;
}

/** Runs work until it waits for the model or ends. */
async function startWaiting(
  { app }: Simulation,
  random: Random,
  { expected, calls: count, work }: WaitingCallOptions,
) {
  if (random.chance(0.04)) app.faults.arm(random.below(2));
  const end = outcomeOf(work());
  const calls = await app.chat.callsOf(end, count);
  app.faults.disarm();
  const outcome = calls.length > 0 ? 'hasText' : (await end).outcome;
  if (outcome !== 'crash' && outcome !== expected)
    throw new Mismatch(`answered ${outcome} instead of ${expected}`);
  if (calls.length > 0 && calls.length !== count)
    throw new Mismatch(`${calls.length} calls instead of ${count}`);
  return { outcome, calls, end };
}

export async function askSinglePrompt(sim: Simulation, random: Random): Promise<string | null> {
  const { app, reference, waiting } = sim;
  const owner = random.pick(reference.users);
  const acting = owner && random.pick(owner.actors);
  if (!owner || !acting) return null;
  const model = random.pick(models) ?? 'fair';
  const most = mostOf(model, prompt.length);
  const key = random.chance(0.2) ? (random.pick(keys) ?? null) : null;
  const earlier = reference.questions.find(
    ({ state, ...question }) =>
      key && question.owner === owner && question.key === key && state !== 'failed',
  );
  const expected = earlier
    ? earlier.state === 'asking'
      ? 'busy'
      : 'ok'
    : owner.available < most || owner.debt > 0
      ? 'insufficient_credits'
      : 'hasText';
  const ctx = key ? { ...app.ctx, workKey: key } : app.ctx;
  const work = () => askChat(ctx, acting, { question: prompt, query: { model } });
  const { outcome, calls, end } = await startWaiting(sim, random, { expected, calls: 1, work });
  if (outcome === 'hasText') {
    const question: Question = {
      owner,
      key,
      reserved: 0,
      model,
      state: 'asking',
      askedAt: app.clock.now().getTime(),
    };
    reserve(question, most);
    reference.questions.push(question);
    waiting.push({ calls, end, of: { question } });
  }
  return `${model}${key ? `, ${key}` : ''}: ${outcome}`;
}

export async function askPreview(sim: Simulation, random: Random): Promise<string | null> {
  const chosen = await choosePlan(sim, random);
  if (!chosen) return null;
  const { app, reference, waiting } = sim;
  const size = chosen.plan.sheet.hasText.length;
  const plan = { ...chosen.plan, wanted: Array.from({ length: size }, (_, row) => row) };
  const preview = 1 + random.below(5);
  const rowsBeyond = random.chance(0.1) ? 3 : 0;
  const rows = random.chance(0.3)
    ? Array.from({ length: 1 + random.below(6) }, () => random.below(size + rowsBeyond))
    : undefined;
  const ready = findReady(sim, plan);
  const asked = askedRows(plan, rows?.slice(0, preview) ?? plan.wanted.slice(0, 256), preview);
  const open = asked.filter((row) => !ready?.results.has(row));
  const price = ready?.price ?? mostOfRows(plan, plan.wanted);
  const amount = reservable({ ...plan, price }, open.length * price, false);
  const hasRows = asked.length > 0;
  const expected = expectPreview(plan, { rows, hasRows, calls: open.length, amount });
  const request = {
    questionWithVariable: plan.question,
    query: { file: plan.sheet.id, preview, rows, model: plan.model, ...deadlineOf(app, plan) },
  };
  const work = () => askChat(app.ctx, chosen.acting, request);
  const { outcome, calls, end } = await startWaiting(sim, random, {
    expected,
    calls: open.length,
    work,
  });
  if (hasRows && (outcome === 'hasText' || outcome === 'ok')) {
    const batch = ready ?? reference.add(newBatch(plan, await newestBatchOf(sim, plan)));
    reserveForBatch(batch, amount ?? 0);
    batch.previewedAt = app.clock.now().getTime();
    if (outcome === 'hasText') waiting.push({ calls, end, of: { preview: batch, rows: open } });
  }
  return `${open.length} rows of ${size}, ${plan.model}: ${outcome}`;
}

interface ExpectedPreview {
  rows?: number[];
  hasRows: boolean;
  calls: number;
  amount: number | null;
}

function expectPreview(plan: Plan, { rows, hasRows, calls, amount }: ExpectedPreview): string {
  if (plan.sheet.isDeleted) return 'not_found';
  if (rows?.some((row) => row >= plan.sheet.hasText.length)) return 'invalid_input';
  if (!hasRows) return 'ok';
  if (amount === null || plan.owner.debt > 0) return 'insufficient_credits';
  return calls > 0 ? 'hasText' : 'ok';
}

function askedRows(plan: Plan, rows: readonly number[], count: number): number[] {
  return [...new Set(rows)].filter((row) => !isBlankRow(plan, row)).slice(0, count);
}

async function newestBatchOf({ app }: Simulation, { sheet }: Plan): Promise<string> {
  const newest = app.ctx.db
    .selectFrom('batches')
    .select('id')
    .where('sheet_id', '=', sheet.id)
    .orderBy('created_at', 'desc');
  return (await newest.limit(1).executeTakeFirstOrThrow()).id;
}

/** The model answers waiting calls, or fails them. */
export async function answerWaiting(sim: Simulation, random: Random): Promise<string | null> {
  const work = random.pick(sim.waiting);
  if (!work) return null;
  sim.waiting.splice(sim.waiting.indexOf(work), 1);
  const given = work.calls.map(
    () =>
      (random.chance(0.6) ? outcomes[0] : random.pick(outcomes)) ?? { kind: 'aborted' as const },
  );
  if (random.chance(0.04)) sim.app.faults.arm(random.below(2));
  for (const [index, call] of work.calls.entries())
    call.answer(given[index] ?? { kind: 'aborted' });
  const { outcome } = await work.end;
  sim.app.faults.disarm();
  const tokens = given.map((one, index) => tokensOf(one, work.calls[index]?.prompt ?? ''));
  const now = sim.app.clock.now().getTime();
  if (outcome !== 'crash') endWork(work.of, { outcome, tokens, now });
  const answered = tokens.filter((each) => each !== null).length;
  return `${answered} of ${given.length} answered: ${outcome}`;
}

/** The size by which an answer is charged: as counted, else by length. Null: no answer. */
function tokensOf(outcome: ChatOutcome, prompt: string): number | null {
  if (outcome.kind !== 'answered') return null;
  const { text, tokens } = outcome;
  return tokens ? tokens.input + tokens.output : Math.ceil((prompt.length + text.length) / 4);
}

interface End {
  outcome: string;
  /** Of each call. */
  tokens: (number | null)[];
  now: number;
}

function endWork(of: WaitingWork['of'], { outcome, tokens, now }: End): void {
  const [first = null] = tokens;
  const expected = 'preview' in of || first !== null ? 'ok' : 'model_failed';
  if (outcome !== expected) throw new Mismatch(`answered ${outcome} instead of ${expected}`);
  if ('preview' in of) endPreview(of.preview, { ...of, now }, tokens);
  else endQuestion(of.question, first);
}

/** Does nothing for a prompt that was recovered meanwhile. */
function endQuestion(question: Question, tokens: number | null): void {
  if (question.state !== 'asking') return;
  const { model, reserved: price } = question;
  if (tokens !== null) chargeReserved(question, chargeOf({ model, price }, tokens));
  returnReserved(question);
  question.state = tokens === null ? 'failed' : 'answered';
}

/** The rate window restarts after this time. */
const rateWindowMilliseconds = 10_000;

/** Stores the answers that the batch still wants and can pay, and returns the rest. */
function endPreview(
  batch: Batch,
  { rows, now }: { rows: number[]; now: number },
  tokens: (number | null)[],
): void {
  const isOpen = !batch.isDeleted && ['ready', 'running', 'paused'].includes(batch.state);
  const { price } = batch;
  const answers = rows.map((row, index) => ({ row, used: tokens[index] ?? null }));
  const fresh = isOpen
    ? answers.filter(({ row, used }) => used !== null && !batch.results.has(row))
    : [];
  const covered = price === 0 ? fresh.length : Math.floor(batch.reserved / price);
  let left = rows.length * price;
  for (const { row, used } of fresh.slice(0, covered)) {
    if (!batch.wanted.includes(row)) continue;
    batch.results.set(row, 'answered');
    chargeAnswers(batch, [used ?? 0]);
    left -= price;
  }
  if (isOpen && batch.previewedAt < now - rateWindowMilliseconds) batch.previewedAt = now;
  if (batch.state === 'ready')
    returnReserved(batch, batch.reserved - Math.min(batch.reserved, left));
  else if (isOpen && isDone(batch)) complete(batch);
}
