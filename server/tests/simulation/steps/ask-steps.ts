import type { ActingFor } from '../../../src/core/authority.ts';
import type { Context } from '../../../src/core/context.ts';
import { askChat } from '../../../src/domains/batches/ask-chat.ts';
import { rowsKey } from '../../../src/domains/files/rules.ts';
import { insertSheet } from '../../../src/domains/files/store.ts';
import { newId } from '../../../src/lib/ids.ts';
import type { Chance } from '../chance.ts';
import { type Expected, hold } from '../expect.ts';
import {
  type Batch,
  holdable,
  isBlankRow,
  type Person,
  priceOf,
  type Sheet,
} from '../reference.ts';
import type { Scene } from '../scene.ts';
import { type ModelName, prices } from '../simulated-app.ts';
import { begin } from './batch-steps.ts';

export type Plan = Pick<Batch, 'owner' | 'sheet' | 'model' | 'question'>;

const models = Object.keys(prices) as ModelName[];
const keys = ['key-1', 'key-2', 'key-3'];

/** A person asks something of a sheet: what a preview has asked already, or something else. */
export async function choosePlan(
  { app, reference }: Scene,
  chance: Chance,
): Promise<{ plan: Plan; acting: ActingFor } | null> {
  const owner = chance.pick(reference.people);
  const acting = owner && chance.pick(owner.actings);
  if (!owner || !acting) return null;
  const ready = reference
    .shown()
    .filter((batch) => batch.owner === owner && batch.state === 'ready');
  const again = chance.is(0.4) ? chance.pick(ready) : undefined;
  if (again)
    return {
      plan: { owner, sheet: again.sheet, model: again.model, question: again.question },
      acting,
    };
  const own = reference.sheets.filter(
    (sheet) => sheet.owner === owner && (!sheet.isDeleted || chance.is(0.05)),
  );
  const sheet = (chance.is(0.6) && chance.pick(own)) || (await addSheet(app, chance, owner));
  if (!reference.sheets.includes(sheet)) reference.sheets.push(sheet);
  const question = chance.is(0.6) ? '{{Text}}' : 'Say {{Text}}';
  return { plan: { owner, sheet, model: chance.pick(models) ?? 'fair', question }, acting };
}

export async function startBatch(scene: Scene, chance: Chance): Promise<string | null> {
  const chosen = await choosePlan(scene, chance);
  if (!chosen) return null;
  const { plan, acting } = chosen;
  const size = plan.sheet.asks.length;
  const all = Array.from({ length: size }, (_, row) => row);
  const rows = chance.is(0.25) ? chance.some(all) : null;
  const limit = chance.is(0.25) ? 1 + chance.below(size + 2) : null;
  const wanted = (rows ?? all).slice(0, limit ?? size);
  const isPartial = chance.is(0.4);
  const startKey = chance.is(0.2) ? (chance.pick(keys) ?? null) : null;
  const { app } = scene;
  const expected = expectStart(scene, {
    ...plan,
    wanted,
    isPartial,
    startKey,
    hasSelection: rows !== null,
  });
  const ctx: Context = startKey ? { ...app.ctx, idempotencyKey: startKey } : app.ctx;
  const query = {
    file: plan.sheet.id,
    start: true,
    partial: isPartial,
    model: plan.model,
    rows: rows ?? undefined,
  };
  const request = {
    questionWithVariable: plan.question,
    query: { ...query, limit: limit ?? undefined },
  };
  const call = async () => batchIn(await askChat(ctx, acting, request));
  const outcome = await hold(app, chance, { expected, call });
  return `${wanted.length} of ${size} rows, ${plan.model}${isPartial ? ', partial' : ''}: ${outcome}`;
}

function batchIn(answer: { batch?: { id: string } } | object): string {
  return 'batch' in answer && answer.batch ? answer.batch.id : '';
}

type Start = Plan & Pick<Batch, 'wanted' | 'isPartial' | 'startKey' | 'hasSelection'>;

function expectStart({ reference }: Scene, start: Start): Expected<string> {
  const { owner, sheet, startKey, wanted } = start;
  if (sheet.isDeleted) return { outcome: 'not_found' };
  if (
    startKey &&
    reference.batches.some((batch) => batch.owner === owner && batch.startKey === startKey)
  )
    return { outcome: 'ok' };
  // Nothing new is begun by somebody who owes, also where it would cost nothing.
  if (owner.owed > 0) return { outcome: 'insufficient_credits' };
  const ready = findReady({ reference }, start);
  const open = wanted.filter((row) => !isBlankRow(start, row) && !ready?.results.has(row));
  const needed = open.length * priceOf(start);
  const amount = holdable(start, needed, start.isPartial);
  if (amount === null) return { outcome: 'insufficient_credits' };
  return {
    outcome: 'ok',
    change: (id) => {
      const batch = ready ?? reference.add(newBatch(start, id));
      Object.assign(batch, start, { isPartial: amount < needed });
      begin(batch, amount);
    },
  };
}

/** The batch that a preview has made, unless it has answered more than is wanted now. */
export function findReady(
  { reference }: Pick<Scene, 'reference'>,
  plan: Plan & Pick<Batch, 'wanted'>,
): Batch | undefined {
  const { owner, sheet, model, question } = plan;
  const found = reference
    .shown()
    .findLast(
      (batch) =>
        batch.state === 'ready' &&
        batch.owner === owner &&
        batch.sheet === sheet &&
        batch.model === model &&
        batch.question === question,
    );
  const wanted = new Set(plan.wanted);
  return found && [...found.results.keys()].every((row) => wanted.has(row)) ? found : undefined;
}

export function newBatch(plan: Plan & Pick<Batch, 'wanted'>, id: string): Omit<Batch, 'label'> {
  const counts = {
    held: 0,
    charged: 0,
    results: new Map(),
    isPartial: false,
    isDeleted: false,
    sharesHold: false,
    previewedAt: 0,
  };
  return {
    ...plan,
    ...counts,
    id,
    startKey: null,
    hasSelection: false,
    state: 'ready',
    reason: null,
  };
}

/** Mostly short: what goes wrong with many rows goes wrong with few. */
function sizeOf(chance: Chance): number {
  if (chance.is(0.02)) return 1_100 + chance.below(400);
  return chance.is(0.1) ? 1 + chance.below(200) : 1 + chance.below(24);
}

async function addSheet(
  { ctx, files, clock }: Scene['app'],
  chance: Chance,
  owner: Person,
): Promise<Sheet> {
  const id = newId(clock.now());
  const size = sizeOf(chance);
  const asks = Array.from({ length: size }, () => !chance.is(0.15));
  const rows = asks.map((isAsking, row) => [isAsking ? `text ${row}` : '']);
  const dialect = { encoding: 'utf-8', delimiter: ',', header: true };
  const offsets = files.putRows(rowsKey(id, dialect), rows);
  const lists = {
    candidates: '[]',
    sample: '[]',
    report: '{"problems":[],"total":0}',
    metadata: '{}',
  };
  const reading = { ...dialect, dialect_confirmed: true, columns: '["Text"]', blank_rows: 0 };
  const identity = {
    id,
    user_id: owner.id,
    actor_id: owner.id,
    name: 'sheet.csv',
    bytes: 1,
    created_at: clock.now(),
  };
  await insertSheet(ctx.db, {
    ...identity,
    ...reading,
    ...lists,
    rows: size,
    offsets: JSON.stringify(offsets),
  });
  return { id, owner, asks, isDeleted: false };
}
