import {
  answerMarks,
  type Batch,
  type getBatch,
  type getProcessedFiles,
  type ParsedRequestOf,
} from '@rowmill/contract';
import type { ActingFor } from '../../core/authority.ts';
import type { Context } from '../../core/context.ts';
import { refuse } from '../../core/refusal.ts';
import { getColumnsAndFormat } from '../files/store.ts';
import { getPerson } from '../identity/accounts/profile.ts';
import { tokensOf } from '../prompts/token-columns.ts';
import { allowedActions } from './lifecycle/actions.ts';
import { rowsPerMinute } from './rate-window.ts';
import { type BatchRow, countBatches, findBatch, listBatches } from './store/batches.ts';

export async function showBatch(
  ctx: Context,
  { subjectId }: ActingFor,
  { id }: ParsedRequestOf<typeof getBatch>,
) {
  const batch = await findBatch(ctx.db, { id, userId: subjectId });
  if (!batch) refuse('not_found');
  return { batch: await describeBatch(ctx, batch) };
}

export async function listOwnBatches(
  ctx: Context,
  { subjectId }: ActingFor,
  request: ParsedRequestOf<typeof getProcessedFiles>,
) {
  const { start, limit, search, state, sort } = request;
  const rows = await listBatches(ctx.db, { userId: subjectId, start, limit, search, state, sort });
  const found = await countBatches(ctx.db, { userId: subjectId, search });
  const counts = { ready: 0, running: 0, paused: 0, stopped: 0, completed: 0 };
  for (const { state, count } of found) counts[state] = count;
  const total = state ? counts[state] : found.reduce((sum, { count }) => sum + count, 0);
  const files = [];
  for (const row of rows) files.push(await describeBatch(ctx, row));
  return { files, total, counts };
}

export async function describeBatch(ctx: Context, row: BatchRow): Promise<Batch> {
  const rate = rowsPerMinute(row, ctx.clock.now());
  const left = row.rows - row.answered - row.failed;
  const { columns, format } = await getColumnsAndFormat(ctx.db, row.sheet_id);
  return {
    id: row.id,
    name: row.name,
    sheet_id: row.sheet_id,
    state: row.state,
    pause_reason: row.pause_reason,
    pause_detail: row.pause_detail,
    rows: row.rows,
    answered: row.answered,
    failed: row.failed,
    marked: row.marked,
    mark_counts: countsByMark(row),
    rows_per_minute: rate,
    seconds_left: rate ? Math.ceil((left / rate) * 60) : null,
    held: row.reserved,
    charged: row.charged,
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
    columns,
    actions: allowedActions(row),
    started_by: await nameOfActor(ctx, row),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    judged: { right: row.judged_right, wrong: row.judged_wrong, later: row.judged_later },
    receipt: row.ended_at ? receiptOf(row) : null,
    tokens: row.input_tokens + row.output_tokens > 0 ? tokensOf(row) : null,
    sheet_format: format,
    file_changes: fileChangesOf(row),
  };
}

function countsByMark({ mark_counts: counts }: BatchRow): Batch['mark_counts'] {
  return Object.fromEntries(
    answerMarks.map((mark, index) => [mark, counts[index] ?? 0]),
  ) as Batch['mark_counts'];
}

async function nameOfActor(ctx: Context, row: BatchRow): Promise<string | null> {
  if (row.actor_id === row.user_id) return null;
  const { user } = await getPerson(ctx, row.actor_id);
  return `${user.first_name} ${user.last_name}`;
}

function fileChangesOf({ file_apostrophes: apostrophes, file_replaced: replaced }: BatchRow) {
  return apostrophes === null || replaced === null ? null : { apostrophes, replaced };
}

function receiptOf({ answered, failed, charged, total_reserved, reserved }: BatchRow) {
  return { answered, failed, charged, returned: total_reserved - charged - reserved };
}
