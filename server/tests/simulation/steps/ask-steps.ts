import type { ActingFor } from '../../../src/core/authority.ts';
import type { Context } from '../../../src/core/context.ts';
import { askChat } from '../../../src/domains/batches/ask-chat.ts';
import { rowsKey } from '../../../src/domains/files/rules.ts';
import { insertSheet } from '../../../src/domains/files/store.ts';
import { newId } from '../../../src/lib/ids.ts';
import { type ExpectedOutcome, expectCall } from '../expect.ts';
import type { Random } from '../random.ts';
import {
  type Batch,
  isBlankRow,
  mostOfRows,
  reservable,
  type Sheet,
  textOf,
  type User,
} from '../reference.ts';
import { type ModelName, prices } from '../simulated-app.ts';
import type { Simulation } from '../simulation-state.ts';
import { startOrResume } from './batch-steps.ts';

export type Plan = Pick<Batch, 'owner' | 'sheet' | 'model' | 'isEconomy' | 'question'>;

const models = Object.keys(prices) as ModelName[];
const keys = ['key-1', 'key-2', 'key-3'];

/** Chooses a sheet and prompt, sometimes those of an earlier preview. */
export async function choosePlan(
  { app, reference }: Simulation,
  random: Random,
): Promise<{ plan: Plan; acting: ActingFor } | null> {
  const owner = random.pick(reference.users);
  const acting = owner && random.pick(owner.actors);
  if (!owner || !acting) return null;
  const ready = reference
    .visibleBatches()
    .filter((batch) => batch.owner === owner && batch.state === 'ready');
  const again = random.chance(0.4) ? random.pick(ready) : undefined;
  if (again) {
    const { sheet, model, isEconomy, question } = again;
    return { plan: { owner, sheet, model, isEconomy, question }, acting };
  }
  const own = reference.sheets.filter(
    (sheet) => sheet.owner === owner && (!sheet.isDeleted || random.chance(0.05)),
  );
  const sheet = (random.chance(0.6) && random.pick(own)) || (await addSheet(app, random, owner));
  if (!reference.sheets.includes(sheet)) reference.sheets.push(sheet);
  const question = random.chance(0.6) ? '{{Text}}' : 'Say {{Text}}';
  const model = random.pick(models) ?? 'fair';
  const isEconomy = model === 'costly' && random.chance(0.5);
  return { plan: { owner, sheet, model, isEconomy, question }, acting };
}

export async function startBatch(sim: Simulation, random: Random): Promise<string | null> {
  const chosen = await choosePlan(sim, random);
  if (!chosen) return null;
  const { plan, acting } = chosen;
  const size = plan.sheet.hasText.length;
  const all = Array.from({ length: size }, (_, row) => row);
  const rows = random.chance(0.25) ? random.some(all) : null;
  const limit = random.chance(0.25) ? 1 + random.below(size + 2) : null;
  const wanted = (rows ?? all).slice(0, limit ?? size);
  const isPartial = random.chance(0.4);
  const startKey = random.chance(0.2) ? (random.pick(keys) ?? null) : null;
  const { app } = sim;
  const expected = expectStart(sim, {
    ...plan,
    wanted,
    isPartial,
    startKey,
    hasSelection: rows !== null,
  });
  const ctx: Context = startKey ? { ...app.ctx, workKey: startKey } : app.ctx;
  const query = {
    file: plan.sheet.id,
    start: true,
    partial: isPartial,
    model: plan.model,
    rows: rows ?? undefined,
  };
  const request = {
    questionWithVariable: plan.question,
    query: { ...query, ...deadlineOf(app, plan), limit: limit ?? undefined },
  };
  const call = async () => batchIn(await askChat(ctx, acting, request));
  const outcome = await expectCall(app, random, { expected, call });
  return `${wanted.length} of ${size} rows, ${plan.model}${isPartial ? ', partial' : ''}: ${outcome}`;
}

/** Ten hours ahead. */
export function deadlineOf({ clock }: Simulation['app'], { isEconomy }: Plan) {
  const at = new Date(clock.now().getTime() + 36_000_000);
  return isEconomy ? { finish_by: at.toISOString() } : {};
}

function batchIn(answer: { batch?: { id: string } } | object): string {
  return 'batch' in answer && answer.batch ? answer.batch.id : '';
}

type Start = Plan & Pick<Batch, 'wanted' | 'isPartial' | 'startKey' | 'hasSelection'>;

function expectStart({ reference }: Simulation, start: Start): ExpectedOutcome<string> {
  const { owner, sheet, startKey, wanted } = start;
  if (sheet.isDeleted) return { outcome: 'not_found' };
  if (
    startKey &&
    reference.batches.some((batch) => batch.owner === owner && batch.startKey === startKey)
  )
    return { outcome: 'ok' };
  // Debt blocks all new work, even if it is free.
  if (owner.debt > 0) return { outcome: 'insufficient_credits' };
  const ready = findReady({ reference }, start);
  const open = wanted.filter((row) => !isBlankRow(start, row) && !ready?.results.has(row));
  const price = Math.max(mostOfRows(start, wanted), ready?.price ?? 0);
  const needed = open.length * price;
  const amount = reservable({ owner, price }, needed, start.isPartial);
  if (amount === null) return { outcome: 'insufficient_credits' };
  return {
    outcome: 'ok',
    change: (id) => {
      const batch = ready ?? reference.add(newBatch(start, id));
      const lastToPay = wanted.findLastIndex((row) => open.includes(row));
      const freeAtEnd = wanted.length - 1 - lastToPay;
      Object.assign(batch, start, { price, isPartial: amount < needed, freeAtEnd });
      startOrResume(batch, amount);
    },
  };
}

/** The batch of an earlier preview, unless that answered rows outside the selection. */
export function findReady(
  { reference }: Pick<Simulation, 'reference'>,
  plan: Plan & Pick<Batch, 'wanted'>,
): Batch | undefined {
  const { owner, sheet, model, isEconomy, question } = plan;
  const found = reference
    .visibleBatches()
    .findLast(
      (batch) =>
        batch.state === 'ready' &&
        batch.owner === owner &&
        batch.sheet === sheet &&
        batch.model === model &&
        batch.isEconomy === isEconomy &&
        batch.question === question,
    );
  const wanted = new Set(plan.wanted);
  return found && [...found.results.keys()].every((row) => wanted.has(row)) ? found : undefined;
}

export function newBatch(plan: Plan & Pick<Batch, 'wanted'>, id: string): Omit<Batch, 'label'> {
  return {
    ...plan,
    price: mostOfRows(plan, plan.wanted),
    id,
    startKey: null,
    hasSelection: false,
    results: new Map(),
    state: 'ready',
    reason: null,
    reserved: 0,
    charged: 0,
    isPartial: false,
    isDeleted: false,
    sharesReservation: false,
    mostReserved: 0,
    freeAtEnd: 0,
    previewedAt: 0,
  };
}

/** Mostly short, because few rows find the same bugs as many. */
function sizeOf(random: Random): number {
  if (random.chance(0.02)) return 1_100 + random.below(400);
  return random.chance(0.1) ? 1 + random.below(200) : 1 + random.below(24);
}

async function addSheet(
  { ctx, files, clock }: Simulation['app'],
  random: Random,
  owner: User,
): Promise<Sheet> {
  const id = newId(clock.now());
  const size = sizeOf(random);
  const hasText = Array.from({ length: size }, () => !random.chance(0.15));
  const rows = hasText.map((hasWords, row) => [hasWords ? textOf(row) : '']);
  const dialect = { encoding: 'utf-8', delimiter: ',', header: true, layout: {} };
  const offsets = files.putRows(rowsKey(id, dialect), rows);
  await insertSheet(ctx.db, {
    ...dialect,
    layout: '{}',
    worksheets: '[]',
    id,
    user_id: owner.id,
    actor_id: owner.id,
    name: 'sheet.csv',
    bytes: 1,
    dialect_confirmed: true,
    columns: '["Text"]',
    rows: size,
    blank_rows: 0,
    candidates: '[]',
    sample: '[]',
    report: '{"problems":[],"total":0}',
    metadata: '{}',
    offsets: JSON.stringify(offsets),
    created_at: clock.now(),
  });
  return { id, owner, hasText, isDeleted: false };
}
