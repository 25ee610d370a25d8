import { answerMarks, type Batch, nameOf } from '@rowmill/contract';
import type { Context } from '../../core/context.ts';
import type { Handler } from '../../core/handlers.ts';
import { invariant, refuse } from '../../core/refusal.ts';
import { after, minute } from '../../lib/clock.ts';
import { getColumnsAndFormats } from '../files/store.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import { tokensOf } from '../prompts/token-columns.ts';
import { allowedActions } from './lifecycle/actions.ts';
import { rowsPerMinute } from './rate-window.ts';
import { runSeconds } from './run-time.ts';
import {
  type BatchRow,
  findBatch,
  openRows,
  rowsToReserve,
  submissionsNeeded,
} from './store/batches.ts';
import { listCooldowns } from './store/cooldowns.ts';
import { listBatches } from './store/list-batches.ts';

export const showBatch: Handler<'getBatch'> = async (ctx, { subjectId }, { id }) => {
  const batch = await findBatch(ctx.db, { id, userId: subjectId });
  if (!batch) refuse('not_found');
  return { batch: await describeBatch(ctx, batch) };
};

export const listOwnBatches: Handler<'getProcessedFiles'> = async (ctx, { subjectId }, request) => {
  const listing = { ...request, userId: subjectId };
  const { rows, counts, total, searched } = await listBatches(ctx.db, listing);
  const files = await describeBatches(ctx, rows);
  return { files, total, counts, ...(searched && { searched }) };
};

export async function describeBatch(ctx: Context, row: BatchRow): Promise<Batch> {
  const [batch] = await describeBatches(ctx, [row]);
  return batch as Batch;
}

/** Reads what the batches share once, not for each. */
async function describeBatches(ctx: Context, rows: readonly BatchRow[]): Promise<Batch[]> {
  if (rows.length === 0) return [];
  const sheets = await getColumnsAndFormats(ctx.db, [...new Set(rows.map((row) => row.sheet_id))]);
  const names = new Map<string, string>();
  for (const { actor_id: id, user_id } of rows)
    if (id !== user_id && !names.has(id)) names.set(id, await readName(ctx, id));
  const waits = await findLongWaits(ctx, rows);
  return rows.map((row) => present(ctx, row, { sheets, names, waits }));
}

/** Shorter waits are part of every rate limit. */
const longWait = minute;

/** Until when providers asked us to wait, by lane. */
async function findLongWaits({ db, clock }: Context, rows: readonly BatchRow[]) {
  const running = rows.filter((row) => row.state === 'running');
  if (running.length === 0) return new Map<string, Date>();
  const cooldowns = await listCooldowns(db, after(clock.now(), longWait));
  return new Map(cooldowns.map(({ model: lane, until }) => [lane, until]));
}

interface Shared {
  sheets: Awaited<ReturnType<typeof getColumnsAndFormats>>;
  /** Names of the people who started batches for others, by id. */
  names: ReadonlyMap<string, string>;
  waits: ReadonlyMap<string, Date>;
}

function present({ clock, models }: Context, row: BatchRow, shared: Shared): Batch {
  const { sheets, names, waits } = shared;
  const rate = rowsPerMinute(row, clock.now());
  const covered = coveredRows(row);
  const wait = row.state === 'running' ? waits.get(models.laneOf(row.model).name) : undefined;
  const sheet = sheets.get(row.sheet_id);
  invariant(sheet, 'a batch has a sheet');
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    sheet_id: row.sheet_id,
    state: row.state,
    pause_reason: row.pause_reason,
    pause_detail: row.pause_detail,
    ...(wait && { waits_until: wait.toISOString() }),
    rows: row.rows,
    answered: row.answered,
    failed: row.failed,
    skipped: row.skipped,
    marked: row.marked,
    mark_counts: countsByMark(row),
    rows_per_minute: rate,
    covered,
    seconds_left: rate ? Math.ceil(((covered ?? openRows(row)) / rate) * 60) : null,
    held: row.reserved,
    needed: submissionsNeeded(row),
    charged: row.charged,
    finish_by: row.finish_by?.toISOString() ?? null,
    price: row.price,
    price_by_size:
      row.price_tokens === null
        ? null
        : { tokens: row.price_tokens, submissions: row.unit_price ?? 0 },
    question: row.question,
    model: row.model,
    system: row.options.system ?? null,
    temperature: row.options.temperature ?? null,
    max_tokens: row.options.max_tokens ?? null,
    top_p: row.options.top_p ?? null,
    stop: row.options.stop ?? null,
    seed: row.options.seed ?? null,
    reasoning_effort: row.options.reasoning_effort ?? null,
    outputs: row.options.outputs,
    columns: sheet.columns,
    actions: allowedActions(row),
    started_by: names.get(row.actor_id) ?? null,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    run_seconds: runSeconds(row),
    judged: { right: row.judged_right, wrong: row.judged_wrong, later: row.judged_later },
    judgement_version: row.judgement_version,
    receipt: row.ended_at ? receiptOf(row) : null,
    tokens: row.input_tokens + row.output_tokens > 0 ? tokensOf(row) : null,
    estimate: row.estimate,
    sheet_format: sheet.format,
    file_changes: fileChangesOf(row),
  };
}

/** Null when the reservation is enough for every row. By size, rows cost what they did so far. */
function coveredRows(row: BatchRow): number | null {
  if (row.state !== 'running') return null;
  const isMeasured = row.price_tokens !== null && row.answered > 0 && row.charged > 0;
  const covered = Math.floor(row.reserved / (isMeasured ? row.charged / row.answered : row.price));
  return covered < rowsToReserve(row) ? covered : null;
}

function countsByMark({ mark_counts: counts }: BatchRow): Batch['mark_counts'] {
  return Object.fromEntries(
    answerMarks.map((mark, index) => [mark, counts[index] ?? 0]),
  ) as Batch['mark_counts'];
}

async function readName(ctx: Context, id: string): Promise<string> {
  const { user } = await getPerson(ctx, id);
  return nameOf(user);
}

function fileChangesOf({ file_apostrophes: apostrophes, file_replaced: replaced }: BatchRow) {
  return apostrophes === null || replaced === null ? null : { apostrophes, replaced };
}

function receiptOf(batch: BatchRow) {
  const { answered, failed, skipped, charged } = batch;
  return { answered, failed, skipped, charged, returned: returnedOf(batch) };
}

/** Without what failed rows returned and reserved again. */
export function returnedOf({ total_reserved, charged, reserved }: BatchRow): number {
  return total_reserved - charged - reserved;
}
